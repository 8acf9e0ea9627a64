//! Isabelle theories from a checked certificate.
//!
//! The theories define the protocol exactly as the lowered system does, prove by the arguments of the certificate that
//! each rule preserves each invariant that it may affect, and conclude that every reachable state has the properties of
//! the Murphi model, for all sizes of the index types. The notions are those of `isabelle-theories/ParaProof.thy`,
//! after Li, Duan and Lv, "An automatic proving approach to parameterized verification", 2018.
//!
//! This module must not search for proofs; the theories of a wrong certificate fail in Isabelle at the lemma of the
//! obligation.

mod computed;
pub mod definitions;
pub mod ground;
pub mod invariants;
mod keywords;
mod link;
pub mod names;
mod pointers;
pub mod print;
pub mod properties;
pub mod replay;
pub mod rules;
mod script;
pub mod source;
pub mod term;
pub mod text;
pub mod translate;
mod witness;

use certificate::CheckedCertificate;
use certificate::proof::Certificate;
use system::source::{NotCovered, SourceProgram};
use system::{Property, System};

use self::definitions::Definitions;
use self::invariants::Invariants;
use self::names::Vocabulary;
use self::replay::NoProof;

/// The text of the base theory, which every emitted folder contains.
pub const BASE_THEORY: &str = include_str!("../../isabelle-theories/ParaProof.thy");

/// The notions for models with assumptions, whose folders contain it besides the base theory.
pub const ASSUMPTIONS_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Assumptions.thy");

/// The notions for models with numbers, whose folders contain it besides the base theory.
pub const NUMBERS_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Numbers.thy");

/// The checker of the style `computed`, whose folders contain it besides the base theory.
pub const CHECKER_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Checker.thy");

/// The evaluation of the checker by inferences of the kernel.
pub const EVALUATION_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Evaluation.thy");

/// The proof that the checker is sound.
pub const COMPUTED_THEORY: &str = include_str!("../../isabelle-theories/ParaProof_Computed.thy");

/// Why theories cannot be emitted.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The certificate's argument for a rule and an invariant does not suffice. With a checked certificate this does
    /// not happen.
    #[error("the certificate's argument for rule {rule:?} (line {line}) and invariant {invariant} cannot be replayed")]
    Stuck {
        /// The rule.
        rule: String,
        /// Its line.
        line: u32,
        /// The number of the invariant, from 1.
        invariant: usize,
    },
    /// A startstate is not seen to satisfy an invariant. With a checked certificate this does not happen.
    #[error("that startstate {startstate:?} (line {line}) satisfies invariant {invariant} cannot be replayed")]
    Start {
        /// The startstate.
        startstate: String,
        /// Its line.
        line: u32,
        /// The number of the invariant, from 1.
        invariant: usize,
    },
    /// The certificate's argument for a property does not suffice.
    #[error("the certificate's argument for property {property:?} (line {line}) cannot be replayed")]
    Unproven {
        /// The property.
        property: String,
        /// Its line.
        line: u32,
    },
    /// The proof by cases for a pair is too long.
    #[error(
        "the proof that rule {rule:?} (line {line}) keeps invariant {invariant} has more than {} steps in style \
         `lemmas`; `emit isabelle --style computed` does without",
        replay::MOST_STEPS
    )]
    LongPair {
        /// The rule.
        rule: String,
        /// Its line.
        line: u32,
        /// The number of the invariant, from 1.
        invariant: usize,
    },
    /// The same for a property.
    #[error("the proof of property {property:?} (line {line}) has more than {} steps", replay::MOST_STEPS)]
    LongProperty {
        /// The property.
        property: String,
        /// Its line.
        line: u32,
    },
    /// A template is wrong.
    #[error("a template of the Isabelle theories is wrong")]
    Template(#[from] minijinja::Error),
}

impl Fault {
    fn of_property(property: &Property, why: NoProof) -> Self {
        let (property, line) = (property.name.clone(), property.origin.line);
        match why {
            NoProof::Stuck => Self::Unproven { property, line },
            NoProof::TooLong => Self::LongProperty { property, line },
        }
    }
}

/// A file: its name and its text.
pub type File = (String, String);

/// What all parts of the emission share.
#[derive(Clone, Copy)]
struct Source<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    words: &'a Vocabulary,
}

/// How the theories prove the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// One lemma for each rule and each invariant that it can affect, by ordinary proof methods.
    #[default]
    Lemmas,
    /// The protocol as data, and one evaluation of a checker that the base theory proves sound.
    Computed(Evaluate),
}

/// How a checker in HOL is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Evaluate {
    /// By inferences of the kernel, in the order of a functional program.
    #[default]
    Kernel,
    /// By Isabelle's simplifier: the kernel checks it as well, but it terminates in practice only for small protocols.
    CodeSimp,
    /// As generated code, which is faster but trusts the code generator and the ML compiler.
    Eval,
}

impl Evaluate {
    /// The proof method.
    fn method(self) -> &'static str {
        match self {
            Self::Kernel => "evaluation",
            Self::CodeSimp => "code_simp",
            Self::Eval => "eval",
        }
    }

    /// The theory that provides the method.
    fn theory(self) -> &'static str {
        match self {
            Self::Kernel => "ParaProof_Evaluation",
            Self::CodeSimp | Self::Eval => "ParaProof_Checker",
        }
    }

    /// Whether all rules are evaluated at once. Each evaluation of generated code is compiled separately, while the
    /// kernel can use several cores if each rule has its own evaluation.
    fn together(self) -> bool {
        match self {
            Self::Kernel | Self::CodeSimp => false,
            Self::Eval => true,
        }
    }
}

/// Returns the theories of a checked certificate, and their `ROOT`.
///
/// # Errors
/// Returns an error if an argument cannot be replayed or a template is wrong; see [`Fault`].
pub fn emit(checked: &CheckedCertificate<'_>, name: &str, style: Style) -> Result<Vec<File>, Fault> {
    let (system, certificate) = (checked.system(), checked.certificate());
    let words = Vocabulary::new(system, &names::identifier(name));
    let source = Source { system, certificate, words: &words };
    let definitions = Definitions { system, words: &words };
    let mut theories = vec![("ParaProof".to_owned(), BASE_THEORY.to_owned())];
    theories.extend(match style {
        Style::Lemmas => lemmas(source, definitions)?,
        Style::Computed(evaluate) => computed::theories(source, definitions, evaluate)?,
    });
    let names = theories.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let root = text::render("root", minijinja::context! { protocol => words.protocol, theories => names })?;
    let mut files = vec![("ROOT".to_owned(), root)];
    files.extend(theories.into_iter().map(|(name, text)| (format!("{name}.thy"), text)));
    Ok(files)
}

/// The theories of a checked certificate, with those about the program that the front-end made of the text.
#[derive(Debug)]
pub struct WithSource {
    /// The theories and their `ROOT`.
    pub files: Vec<File>,
    /// Why the last theorem is not about the program, if it is not.
    pub missing: Option<NotCovered>,
}

/// Returns the theories of a checked certificate in style `lemmas`, and the proof that they are about the program as well, as
/// far as there is one.
///
/// # Errors
/// As [`emit`].
pub fn emit_with_source(
    checked: &CheckedCertificate<'_>,
    name: &str,
    program: Result<SourceProgram, NotCovered>,
) -> Result<WithSource, Fault> {
    let (system, certificate) = (checked.system(), checked.certificate());
    let words = Vocabulary::new(system, &names::identifier(name));
    let mut files = emit(checked, name, Style::Lemmas)?;
    let program = match program {
        Ok(program) => program,
        Err(missing) => return Ok(WithSource { files, missing: Some(missing) }),
    };
    let definitions = Definitions { system, words: &words };
    let linked = link::theory(Source { system, certificate, words: &words }, definitions, &program);
    let (linked, missing) = match linked {
        Ok(linked) => (Some(linked), None),
        Err(link::LinkFault::NotCovered(missing)) => (None, Some(missing)),
        Err(link::LinkFault::Template(error)) => return Err(error.into()),
    };
    let protocol = &words.protocol;
    let mut more = vec![
        ("ParaProof_Murphi".to_owned(), source::MURPHI_THEORY.to_owned()),
        (format!("{protocol}_Program"), source::theory(protocol, &program)?),
    ];
    if let Some(linked) = linked {
        more.push(("ParaProof_Source".to_owned(), link::SOURCE_THEORY.to_owned()));
        more.push((format!("{protocol}_Source"), linked));
    }
    if let Some((_, root)) = files.iter_mut().find(|(name, _)| name == "ROOT") {
        more.iter().for_each(|(name, _)| root.push_str(&format!("    {name}\n")));
    }
    files.extend(more.into_iter().map(|(name, text)| (format!("{name}.thy"), text)));
    Ok(WithSource { files, missing })
}

/// The theories with one lemma for each rule and each invariant that it can affect.
fn lemmas(source: Source<'_>, definitions: Definitions<'_>) -> Result<Vec<File>, Fault> {
    let protocol = &source.words.protocol;
    let invariants = Invariants::new(source, definitions);
    let mut theories = Vec::new();
    if translate::has_numbers(source.system) {
        theories.push(("ParaProof_Numbers".to_owned(), NUMBERS_THEORY.to_owned()));
    }
    if definitions.assumption().is_some() {
        theories.push(("ParaProof_Assumptions".to_owned(), ASSUMPTIONS_THEORY.to_owned()));
    }
    theories.push((format!("{protocol}_Definitions"), definitions.theory()?));
    theories.push((format!("{protocol}_Invariants"), invariants.theory()?));
    let parts = rules::theories(source, &invariants)?;
    let imports = parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    theories.extend(parts);
    theories.push((protocol.clone(), properties::theory(source, &invariants, &imports)?));
    Ok(theories)
}
