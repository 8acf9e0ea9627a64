//! Values of options, from their text.

use std::time::Duration;

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

pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let shift = match unit.trim_end_matches("iB").trim_end_matches(['B', 'b']) {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return Err(format!("unknown unit '{unit}'; use K, M, G or T")),
    };
    let number: u64 = number.parse().map_err(|_| "expected a number".to_owned())?;
    number.checked_mul(1_u64 << shift).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".to_owned())
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; use s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a number".to_owned())?;
    Duration::try_from_secs_f64(number * factor)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "out of range".to_owned())
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
        assert_eq!(bytes("17"), Ok(17));
        for wrong in ["", "M", "0", "4X", "99999999999T", "-1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("20"), Ok(Duration::from_secs(20)));
        for wrong in ["", "s", "0", "2d", "1e99h", "1..2"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
