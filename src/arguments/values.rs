//! Values of options, from their text.

use std::time::Duration;

use bytesize::ByteSize;
use system::front_end::Setting;

pub(super) fn shard(text: &str) -> Result<(u32, u32), String> {
    let (index, of) = text.split_once('/').ok_or("expected I/N")?;
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("'{text}' is not a number"));
    let (index, of) = (number(index)?, number(of)?);
    if index == 0 || index > of {
        return Err(format!("there is no part {index} of {of}; they are numbered from 1"));
    }
    Ok((index, of))
}

pub(super) fn definition(text: &str) -> Result<(String, Setting), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !characters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{name}' is not the name of a constant"));
    }
    let value = match value {
        "true" => Setting::Truth(true),
        "false" => Setting::Truth(false),
        number => {
            Setting::Number(number.parse().map_err(|_| format!("'{number}' is not a whole number, `true` or `false`"))?)
        }
    };
    Ok((name.to_owned(), value))
}

/// An instance with more elements of a type is hopeless to explore.
const MOST_ELEMENTS: u32 = 255;

pub(super) fn size(text: &str) -> Result<(String, u32), String> {
    let (name, number) = text.split_once('=').ok_or("expected TYPE=N")?;
    let number = number.parse().ok().filter(|number| (1..=MOST_ELEMENTS).contains(number));
    let number = number.ok_or_else(|| format!("an instance has between 1 and {MOST_ELEMENTS} elements of a type"))?;
    Ok((name.to_owned(), number))
}

/// A size such as `512MiB`, `2GB`, or a number of bytes. A letter alone (`4G`) counts in powers of 1024, as in other
/// tools.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let is_letter_alone = matches!(text.as_bytes(), [.., b'0'..=b'9' | b' ', letter] if b"kKmMgGtT".contains(letter));
    let written = if is_letter_alone { format!("{text}iB") } else { text.to_owned() };
    let size: ByteSize = written.parse().map_err(|_| format!("'{text}' is not a size, such as 800M, 512MiB or 2GB"))?;
    // Sizes that are too large saturate.
    Some(size.as_u64()).filter(|bytes| (1..u64::MAX).contains(bytes)).ok_or_else(|| "out of range".to_owned())
}

/// A time such as `90s` or `1h 30min`, or a number of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let time = match text.parse().map(Duration::try_from_secs_f64) {
        Ok(seconds) => seconds.ok(),
        Err(_) => Some(humantime::parse_duration(text).map_err(|error| error.to_string())?),
    };
    time.filter(|time| !time.is_zero()).ok_or_else(|| "out of range".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read() {
        assert_eq!(shard("1/1"), Ok((1, 1)));
        assert_eq!(shard("3/16"), Ok((3, 16)));
        for wrong in ["", "1", "0/1", "2/1", "1/0", "a/2", "-1/2", "1/2/3"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_read() {
        assert_eq!(definition("N=3"), Ok(("N".to_owned(), Setting::Number(3))));
        assert_eq!(definition("low=-2"), Ok(("low".to_owned(), Setting::Number(-2))));
        assert_eq!(definition("flag=true"), Ok(("flag".to_owned(), Setting::Truth(true))));
        for wrong in ["N", "=3", "N=", "N=x", "3N=1", "N M=1"] {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
        assert_eq!(bytes("800M"), Ok(800 << 20));
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes("1.5g"), Ok(3 << 29));
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(bytes("17B"), Ok(17));
        for wrong in ["", "M", "0", "4X", "99999999999T", "-1", "4é", "0.1B"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1h 30min"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(duration("20"), Ok(Duration::from_secs(20)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "s", "0", "0s", "2x", "1e99", "1e99h", "1..2", "-1", "inf", "NaN"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
