//! Reads files with one-line errors, and writes output either completely or not at all.
//!
//! A file is written under a temporary name beside its target and renamed; a folder is built as a temporary sibling and moved.
//! If the target folder exists, its files are exchanged one by one, and put back if that fails. This module must not know
//! what the files contain.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use tempfile::{Builder, NamedTempFile, TempDir};
use thiserror::Error;
use walkdir::WalkDir;

use crate::interrupt;

/// Beyond this many bytes a file is no protocol model: offsets in it are kept in 32 bits, and reading an endless
/// device has to stop somewhere.
const MODEL_LIMIT: u64 = 64 << 20;

/// Beyond this many bytes a certificate is refused.
const CERTIFICATE_LIMIT: u64 = 16 << 30;

/// The extensions of files that are models.
const EXTENSIONS: [&str; 2] = ["m", "cub"];

/// Why an input cannot be used.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    #[error("{path}: {source}")]
    Unreadable { path: String, source: io::Error },
    #[error("{0}: no such file")]
    Missing(String),
    #[error("{0}: is a directory, not a file")]
    Directory(String),
    #[error("{0}: is empty")]
    Empty(String),
    #[error("{path}: is not a text file (byte {byte:#04x} at offset {offset})")]
    Binary { path: String, byte: u8, offset: usize },
    #[error("{path}: is larger than {}", ByteSize(*limit))]
    TooLarge { path: String, limit: u64 },
}

/// Why an output cannot be written.
#[derive(Debug, Error)]
pub(crate) enum OutputError {
    #[error("cannot write {path}: {source}")]
    Unwritable { path: String, source: io::Error },
    #[error("cannot write {0}: is a directory")]
    Directory(String),
    #[error("cannot write into {0}: is not a directory")]
    NotDirectory(String),
}

/// The text of a model, and the bytes of its file.
///
/// Text that is no UTF-8 is read as Latin-1, one character for each byte: old models have accented names in their
/// comments, and the character matters only to readers of the comment.
pub(crate) fn read_model(path: &Path) -> Result<(String, Vec<u8>), InputError> {
    let bytes = read_bytes(path, MODEL_LIMIT)?;
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1a);
    if let Some(offset) = bytes.iter().position(|byte| control(byte) || *byte == 0x7f) {
        return Err(InputError::Binary { path: show(path), byte: bytes[offset], offset });
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(InputError::Empty(show(path)));
    }
    Ok((text, bytes))
}

/// The models in a folder and those below it, except for hidden folders and the results of earlier runs.
pub(crate) fn models_in(folder: &Path, out: Option<&Path>) -> Result<Vec<PathBuf>, InputError> {
    let same = |path: &Path| out.is_some_and(|out| path.canonicalize().ok() == out.canonicalize().ok());
    let hidden = |name: &str| name.starts_with('.');
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| {
        entry.depth() == 0 || (!hidden(&entry.file_name().to_string_lossy()) && !same(entry.path()))
    });
    let mut models = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| InputError::Unreadable { path: show(folder), source: error.into() })?;
        let extension = entry.path().extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        if entry.file_type().is_file() && extension.is_some_and(|own| EXTENSIONS.contains(&own.as_str())) {
            models.push(entry.into_path());
        }
    }
    Ok(models)
}

/// The bytes of a certificate.
pub(crate) fn read_certificate(path: &Path) -> Result<Vec<u8>, InputError> {
    let bytes = read_bytes(path, CERTIFICATE_LIMIT)?;
    if bytes.is_empty() {
        return Err(InputError::Empty(show(path)));
    }
    Ok(bytes)
}

fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let unreadable = |source: io::Error| {
        if source.kind() == io::ErrorKind::NotFound {
            return InputError::Missing(show(path));
        }
        InputError::Unreadable { path: show(path), source }
    };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(InputError::Directory(show(path)));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(InputError::TooLarge { path: show(path), limit });
    }
    Ok(bytes)
}

/// Writes a file as a whole or not at all.
///
/// A target that exists and is no ordinary file, such as `/dev/stdout`, is written to directly, since renaming
/// would put a file in its place.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let unwritable = |source| OutputError::Unwritable { path: show(path), source };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(data) if data.is_dir() => return Err(OutputError::Directory(show(path))),
        Ok(data) if !data.is_file() => {
            let mut device = File::options().write(true).open(&target).map_err(unwritable)?;
            return device.write_all(bytes).map_err(unwritable);
        }
        Ok(_) | Err(_) => {}
    }
    let parent = parent_of(&target);
    let created = create_folders(&parent).map_err(unwritable)?;
    sweep(&parent);
    let written = write_beside(&target, &parent, bytes);
    if written.is_err() {
        created.undo();
    }
    written.map_err(unwritable)
}

fn write_beside(target: &Path, parent: &Path, bytes: &[u8]) -> io::Result<()> {
    let make = || Builder::new().prefix(TEMPORARY).permissions(Permissions::from_mode(0o666)).tempfile_in(parent);
    let (mut file, _registered) = interrupt::temporary(make, NamedTempFile::path)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if let Ok(data) = fs::metadata(target) {
        file.as_file().set_permissions(data.permissions())?;
    }
    interrupt::undisturbed(|| file.persist(target)).map_err(|error| error.error)?;
    Ok(())
}

/// A file of text: its path in a folder, and what is in it.
pub(crate) type Output = (PathBuf, String);

/// A folder of results under construction. Nothing is visible until [`OutputFolder::publish`].
pub(crate) struct OutputFolder {
    target: PathBuf,
    building: TempDir,
    /// Held as long as the folder is under construction, so that a later run can tell it from one that was left behind.
    _alive: Option<File>,
    registered: interrupt::Registered,
    created: CreatedFolders,
    files: BTreeSet<PathBuf>,
}

impl OutputFolder {
    /// Starts a folder. Fails at once if the target cannot be written, so that no one waits for results that
    /// have no place to go.
    pub(crate) fn create(target: &Path) -> Result<Self, OutputError> {
        let unwritable = |source| OutputError::Unwritable { path: show(target), source };
        let resolved = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        // Where the folder exists, the sibling is built inside of it: it is on the same file system for sure,
        // and the parent need not be writable.
        let (place, created) = match fs::metadata(&resolved) {
            Ok(data) if !data.is_dir() => return Err(OutputError::NotDirectory(show(target))),
            Ok(_) => (resolved.clone(), CreatedFolders::default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = parent_of(&resolved);
                let created = create_folders(&parent).map_err(unwritable)?;
                (parent, created)
            }
            Err(error) => return Err(unwritable(error)),
        };
        let make = || {
            let building =
                Builder::new().prefix(TEMPORARY).permissions(Permissions::from_mode(0o777)).tempdir_in(&place)?;
            Ok((hold(building.path()), building))
        };
        let ((alive, building), registered) = match interrupt::temporary(make, |(_, building)| building.path()) {
            Ok(made) => made,
            Err(error) => {
                created.undo();
                return Err(unwritable(error));
            }
        };
        sweep(&place);
        Ok(Self { target: resolved, _alive: alive, registered, building, created, files: BTreeSet::new() })
    }

    /// Adds a file, at a path relative to the folder.
    pub(crate) fn add(&mut self, relative: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        let path = self.building.path().join(relative);
        let write = || {
            fs::create_dir_all(parent_of(&path))?;
            let mut file = File::create(&path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        // Where the process ends on the spot, the folder is removed; nothing may create it again.
        interrupt::undisturbed(write)
            .map_err(|source| OutputError::Unwritable { path: show(&self.target.join(relative)), source })?;
        self.files.insert(relative.to_owned());
        Ok(())
    }

    /// Adds files, at paths relative to the folder.
    pub(crate) fn add_all(&mut self, files: Vec<Output>) -> Result<(), OutputError> {
        files.into_iter().try_for_each(|(relative, text)| self.add(&relative, text.as_bytes()))
    }

    /// The theories that an earlier run has left, at paths relative to the folder. Other files beside them stay.
    pub(crate) fn theories(&self) -> Vec<PathBuf> {
        const MARKS: [&str; 2] = ["(*  Generated by ParaProof ", "(* Generated by ParaProof;"];
        let ours = |path: &Path| path.extension().is_some_and(|extension| extension == "thy") || path.ends_with("ROOT");
        let entries = fs::read_dir(self.target.join("isabelle")).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| ours(path))
            .filter(|path| fs::read_to_string(path).is_ok_and(|text| MARKS.iter().any(|mark| text.starts_with(mark))))
            .filter_map(|path| path.strip_prefix(&self.target).ok().map(Path::to_owned))
            .collect();
        found.sort();
        found
    }

    /// Puts the files in place. `stale` are files that an earlier run may have left and that would now tell
    /// something false; they go. All other files in the folder stay.
    pub(crate) fn publish(self, stale: Vec<PathBuf>) -> Result<(), OutputError> {
        let result = interrupt::undisturbed(|| {
            if self.target.exists() {
                return self.exchange(&stale);
            }
            let _ = fs::remove_file(self.building.path().join(ALIVE));
            fs::rename(self.building.path(), &self.target)
        });
        let failed = result.map_err(|source| OutputError::Unwritable { path: show(&self.target), source });
        match failed {
            Ok(()) => Ok(()),
            Err(error) => {
                self.discard();
                Err(error)
            }
        }
    }

    /// Removes what was built, and the folders that were made for it.
    pub(crate) fn discard(self) {
        let Self { building, registered, created, .. } = self;
        drop(building);
        drop(registered);
        created.undo();
    }

    /// Moves the files over those of the same names, keeping the old ones until all are in place.
    fn exchange(&self, stale: &[PathBuf]) -> io::Result<()> {
        let backup = Builder::new().prefix(TEMPORARY).tempdir_in(&self.target)?;
        let mut done: Vec<(PathBuf, Move)> = Vec::new();
        let gone = stale.iter().filter(|path| !self.files.contains(*path)).cloned();
        let moves =
            self.files.iter().map(|path| (path.clone(), Move::Replace)).chain(gone.map(|path| (path, Move::Remove)));
        for (relative, kind) in moves {
            let result = self.exchange_one(&relative, &kind, backup.path());
            done.push((relative, kind));
            if let Err(error) = result {
                self.restore(&done, backup.path());
                return Err(error);
            }
        }
        Ok(())
    }

    fn exchange_one(&self, relative: &Path, kind: &Move, backup: &Path) -> io::Result<()> {
        let target = self.target.join(relative);
        let saved = backup.join(relative);
        if let Ok(data) = fs::symlink_metadata(&target) {
            if data.is_dir() {
                return Err(io::Error::new(
                    io::ErrorKind::IsADirectory,
                    format!("{} is a directory", relative.display()),
                ));
            }
            fs::create_dir_all(parent_of(&saved))?;
            fs::rename(&target, &saved)?;
        }
        match kind {
            Move::Replace => {
                fs::create_dir_all(parent_of(&target))?;
                fs::rename(self.building.path().join(relative), &target)
            }
            Move::Remove => Ok(()),
        }
    }

    /// The way back. It does what it can: a file system that now refuses even to rename leaves no better choice.
    fn restore(&self, done: &[(PathBuf, Move)], backup: &Path) {
        for (relative, kind) in done.iter().rev() {
            let target = self.target.join(relative);
            let saved = backup.join(relative);
            if saved.symlink_metadata().is_ok() {
                let _ = fs::rename(&saved, &target);
            } else if matches!(kind, Move::Replace) && !self.building.path().join(relative).exists() {
                let _ = fs::remove_file(&target);
            }
        }
    }
}

/// A folder of results that appear in steps, each of them at once.
pub(crate) struct Results {
    target: PathBuf,
    folder: Option<OutputFolder>,
}

impl Results {
    /// Starts the first step. Fails at once where the target cannot be written.
    pub(crate) fn create(target: &Path) -> Result<Self, OutputError> {
        Ok(Self { target: target.to_owned(), folder: Some(OutputFolder::create(target)?) })
    }

    /// The step that is under construction.
    pub(crate) fn folder(&mut self) -> Result<&mut OutputFolder, OutputError> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => OutputFolder::create(&self.target)?,
        };
        Ok(self.folder.insert(folder))
    }

    /// Adds a file to the step, at a path relative to the folder.
    pub(crate) fn add(&mut self, relative: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        self.folder()?.add(relative, bytes)
    }

    /// Puts the step in place. `stale` are files of an earlier run that would now tell something false; where there are some, its
    /// theories are as well.
    pub(crate) fn publish(&mut self, stale: &[&str]) -> Result<(), OutputError> {
        let Some(folder) = self.folder.take() else { return Ok(()) };
        let theories = if stale.is_empty() { Vec::new() } else { folder.theories() };
        folder.publish(stale.iter().map(PathBuf::from).chain(theories).collect())
    }

    /// Drops what was built of the step.
    pub(crate) fn start_again(&mut self) {
        if let Some(folder) = self.folder.take() {
            folder.discard();
        }
    }

    /// Drops what was not put in place.
    pub(crate) fn discard(mut self) {
        self.start_again();
    }
}

enum Move {
    Replace,
    Remove,
}

/// What stands before the names of files and folders under construction.
const TEMPORARY: &str = ".paraproof-";

/// The file in a folder under construction that is locked as long as the run that builds it is alive.
const ALIVE: &str = ".alive";

/// Files are written within seconds; those that are older belong to a run that was killed.
const LONG_DEAD: Duration = Duration::from_secs(3600);

/// Marks a folder as under construction. Where the file system has no locks, nothing tells it from one that was left behind.
fn hold(building: &Path) -> Option<File> {
    let file = File::create(building.join(".new")).ok()?;
    file.try_lock().ok()?;
    // It gets its name when it is locked already.
    fs::rename(building.join(".new"), building.join(ALIVE)).ok()?;
    Some(file)
}

/// Removes what runs that were killed have left in a folder. Where that is not certain, or fails, it stays.
fn sweep(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        if !entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
            continue;
        }
        let _ = match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => match File::open(path.join(ALIVE)) {
                Ok(alive) if alive.try_lock().is_ok() => fs::remove_dir_all(&path),
                Ok(_) | Err(_) => Ok(()),
            },
            Ok(data) if data.is_file() => match data.modified().map(|at| at.elapsed()) {
                Ok(Ok(age)) if age > LONG_DEAD => fs::remove_file(&path),
                Ok(_) | Err(_) => Ok(()),
            },
            Ok(_) | Err(_) => Ok(()),
        };
    }
}

/// Folders that were made on the way to an output, outermost first.
#[derive(Default)]
pub(crate) struct CreatedFolders(Vec<(PathBuf, interrupt::Registered)>);

impl CreatedFolders {
    /// Removes the folders again where they are still empty.
    pub(crate) fn undo(&self) {
        for (folder, _) in self.0.iter().rev() {
            // A folder with other files in it stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes the folders above an output. Several runs that write below them do not get in each other's way then.
pub(crate) fn create_above(target: &Path) -> Result<CreatedFolders, OutputError> {
    create_folders(&parent_of(target)).map_err(|source| OutputError::Unwritable { path: show(target), source })
}

fn create_folders(path: &Path) -> io::Result<CreatedFolders> {
    let mut created = CreatedFolders::default();
    let mut folder = PathBuf::new();
    for component in path.components() {
        folder.push(component);
        if matches!(component, Component::Normal(_)) && !folder.exists() {
            match interrupt::folder(&folder) {
                Ok(registered) => created.0.push((folder.clone(), registered)),
                // Another run was faster.
                Err(_) if folder.is_dir() => {}
                Err(error) => {
                    created.undo();
                    return Err(error);
                }
            }
        }
    }
    Ok(created)
}

fn parent_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        Some(_) | None => PathBuf::from("."),
    }
}

/// A path for a message of one line.
pub(crate) fn show(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// Text without line breaks and other control characters.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn inputs_are_refused_in_one_line() {
        let scratch = scratch();
        let file = |name: &str, bytes: &[u8]| {
            let path = scratch.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let cases = [
            (scratch.path().join("none"), "no such file"),
            (scratch.path().to_owned(), "is a directory"),
            (file("empty", b""), "is empty"),
            (file("blank", b"\xef\xbb\xbf \n"), "is empty"),
            (file("binary", b"ab\0"), "byte 0x00 at offset 2"),
            (scratch.path().join("empty/x"), "Not a directory"),
        ];
        for (path, expected) in cases {
            let message = read_model(&path).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
            assert!(!message.contains('\n'));
        }
        let latin = file("latin", b"-- caf\xe9\n");
        assert_eq!(read_model(&latin).unwrap().0, "-- caf\u{e9}\n");
    }

    #[test]
    fn a_file_appears_whole_and_alone() {
        let scratch = scratch();
        let path = scratch.path().join("a/b/file");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(&scratch.path().join("a/b")), ["file"]);
        let error = write_file(&scratch.path().join("a"), b"x").unwrap_err();
        assert!(error.to_string().contains("is a directory"));
        assert!(write_file(&path.join("below/a/file"), b"x").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }

    #[test]
    fn a_link_is_followed() {
        let scratch = scratch();
        let real = scratch.path().join("real");
        let link = scratch.path().join("link");
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_folder_appears_at_once() {
        let scratch = scratch();
        let target = scratch.path().join("x/out");
        let mut folder = OutputFolder::create(&target).unwrap();
        folder.add(Path::new("sub/one"), b"1").unwrap();
        assert!(!target.exists());
        folder.publish(Vec::new()).unwrap();
        assert_eq!(names(&target), ["sub"]);
        assert_eq!(names(&scratch.path().join("x")), ["out"]);
    }

    #[test]
    fn a_folder_given_up_leaves_nothing() {
        let scratch = scratch();
        let target = scratch.path().join("x/y/out");
        let mut folder = OutputFolder::create(&target).unwrap();
        folder.add(Path::new("one"), b"1").unwrap();
        folder.discard();
        assert!(names(scratch.path()).is_empty());
    }

    #[test]
    fn an_existing_folder_keeps_what_is_not_ours() {
        let scratch = scratch();
        let target = scratch.path().join("out");
        fs::create_dir(&target).unwrap();
        for name in ["mine", "one", "stale"] {
            fs::write(target.join(name), "old").unwrap();
        }
        let mut folder = OutputFolder::create(&target).unwrap();
        folder.add(Path::new("one"), b"new").unwrap();
        folder.publish(vec!["stale".into(), "one".into()]).unwrap();
        assert_eq!(names(&target), ["mine", "one"]);
        assert_eq!(fs::read(target.join("one")).unwrap(), b"new");
        assert_eq!(fs::read(target.join("mine")).unwrap(), b"old");
    }

    #[test]
    fn theories_of_an_earlier_run_go_and_those_of_others_stay() {
        let scratch = scratch();
        let target = scratch.path().join("out");
        fs::create_dir_all(target.join("isabelle")).unwrap();
        for (name, text) in [
            ("old.thy", "(*  Generated by ParaProof from a checked certificate; do not edit."),
            ("ROOT", "(* Generated by ParaProof; build with: isabelle build -D . *)"),
            ("mine.thy", "theory mine imports old begin end"),
            ("notes.txt", "(*  Generated by ParaProof as I believe"),
        ] {
            fs::write(target.join("isabelle").join(name), text).unwrap();
        }
        let mut folder = OutputFolder::create(&target).unwrap();
        folder.add(Path::new("isabelle/new.thy"), b"new").unwrap();
        let stale = folder.theories();
        folder.publish(stale).unwrap();
        assert_eq!(names(&target.join("isabelle")), ["mine.thy", "new.thy", "notes.txt"]);
    }

    #[test]
    fn what_a_killed_run_has_left_goes_and_what_another_one_builds_stays() {
        let scratch = scratch();
        let target = scratch.path().join("out");
        fs::create_dir(&target).unwrap();
        let place = |name: &str| target.join(name);
        for folder in [".paraproof-dead", ".paraproof-unknown", "mine"] {
            fs::create_dir(place(folder)).unwrap();
            fs::write(place(folder).join("one"), "1").unwrap();
        }
        fs::write(place(".paraproof-dead").join(ALIVE), "").unwrap();
        fs::write(place(".paraproof-new"), "half").unwrap();
        let old = File::create(place(".paraproof-old")).unwrap();
        old.set_modified(std::time::SystemTime::now() - 2 * LONG_DEAD).unwrap();
        let other = OutputFolder::create(&target).unwrap();
        let folder = OutputFolder::create(&target).unwrap();
        assert!(other.building.path().join(ALIVE).exists());
        folder.discard();
        other.discard();
        assert_eq!(names(&target), [".paraproof-new", ".paraproof-unknown", "mine"]);
    }

    #[test]
    fn results_appear_step_by_step() {
        let scratch = scratch();
        let target = scratch.path().join("out");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("trace.md"), "of an earlier run").unwrap();
        let mut results = Results::create(&target).unwrap();
        results.add(Path::new("one"), b"1").unwrap();
        results.publish(&["trace.md", "one"]).unwrap();
        assert_eq!(names(&target), ["one"]);
        results.add(Path::new("two"), b"2").unwrap();
        results.publish(&[]).unwrap();
        results.add(Path::new("three"), b"3").unwrap();
        results.discard();
        assert_eq!(names(&target), ["one", "two"]);
    }

    #[test]
    fn a_failing_exchange_is_taken_back() {
        let scratch = scratch();
        let target = scratch.path().join("out");
        fs::create_dir_all(target.join("two")).unwrap();
        fs::write(target.join("a"), "old").unwrap();
        let mut folder = OutputFolder::create(&target).unwrap();
        folder.add(Path::new("a"), b"new").unwrap();
        folder.add(Path::new("b"), b"new").unwrap();
        folder.add(Path::new("two"), b"new").unwrap();
        assert!(folder.publish(vec!["stale".into()]).is_err());
        assert_eq!(names(&target), ["a", "two"]);
        assert_eq!(fs::read(target.join("a")).unwrap(), b"old");
    }

    #[test]
    fn a_target_that_is_a_file_is_refused() {
        let scratch = scratch();
        let target = scratch.path().join("file");
        fs::write(&target, "old").unwrap();
        assert!(OutputFolder::create(&target).is_err());
        assert!(OutputFolder::create(&target.join("below")).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"old");
    }
}
