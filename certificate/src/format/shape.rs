//! The JSON of a certificate as types for `serde`, apart from the types that the kernel works on.
//!
//! Unknown and doubled keys are refused, and so are numbers out of range; the JSON reader bounds nesting. Names are not
//! resolved here. The relations are delivered rule by rule, since there can be many.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, Expected, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use system::scope::Scope;
use system::{NUMBER_LIMIT, System};

use super::{NAMED_SIGN, OTHER_SIGN};

/// The part that is read first, whatever the rest is.
#[derive(Deserialize)]
pub(super) struct Version {
    pub(super) format: String,
    pub(super) version: u32,
}

/// The whole file without the relations; see [`EachRule`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(rename = "format")]
    pub(super) _format: String,
    #[serde(rename = "version")]
    pub(super) _version: u32,
    pub(super) model: Object<ModelHeader>,
    pub(super) claim: Object<Claim>,
    pub(super) index_types: Vec<Object<IndexType>>,
    pub(super) startstates: Vec<String>,
    pub(super) rules: Vec<(String, String)>,
    pub(super) properties: Vec<String>,
    #[serde(default)]
    pub(super) axioms: Vec<String>,
    pub(super) counts: Object<Counts>,
    pub(super) invariants: Vec<Object<Invariant>>,
    pub(super) proofs: Vec<Object<Proof>>,
    pub(super) initial: Vec<Object<Initial>>,
    #[serde(rename = "relations")]
    pub(super) _relations: IgnoredAny,
}

/// Reads the relations of a file that is a valid [`File`], and calls the function with those of each rule.
pub(super) struct EachRule<'f>(pub(super) &'f mut dyn FnMut(RuleRelations));

impl<'de> DeserializeSeed<'de> for EachRule<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EachRule<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "relations" {
                map.next_value_seed(Groups(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The array of relations.
struct Groups<'f>(&'f mut dyn FnMut(RuleRelations));

impl<'de> DeserializeSeed<'de> for Groups<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Groups<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut groups: A) -> Result<(), A::Error> {
        while let Some(Object(group)) = groups.next_element()? {
            (self.0)(group);
        }
        Ok(())
    }
}

/// The model that the certificate is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelHeader {
    pub(super) sha256: String,
    pub(super) settings: Vec<String>,
}

/// What the proof is about besides the properties, and what it leaves out.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub(super) any_size: Vec<Object<AnySize>>,
    pub(super) constants: Vec<Object<KeptConstant>>,
    pub(super) finite_types: Vec<Object<FiniteType>>,
    /// The lines of `assume` statements.
    pub(super) assumptions: Vec<u32>,
    pub(super) left_out: Vec<Object<LeftOut>>,
}

/// A type of any size, from a least number of elements on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnySize {
    pub(super) name: String,
    pub(super) least: u32,
}

/// A constant with its value in the model.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptConstant {
    pub(super) name: String,
    pub(super) value: String,
}

/// A type of the size that it has in the model. A size that is too large for a number of the file is written as the
/// largest.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FiniteType {
    pub(super) name: String,
    pub(super) size: u32,
}

/// What the model states and the proof does not cover.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeftOut {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) code: String,
}

impl Claim {
    /// The claim of every certificate for a system.
    pub(super) fn of(system: &System) -> Self {
        let Scope { any_size, any_value: _, properties: _, claim, nothing_starts: _ } = Scope::of(system);
        let any_size = any_size.into_iter().map(|own| Object(AnySize { name: own.name, least: own.least }));
        let constants =
            claim.constants.into_iter().map(|kept| Object(KeptConstant { name: kept.name, value: kept.value }));
        let finite_types = claim
            .finite_types
            .into_iter()
            .map(|own| Object(FiniteType { name: own.name, size: u32::try_from(own.size).unwrap_or(u32::MAX) }));
        let left_out = claim
            .left_out
            .into_iter()
            .map(|left| Object(LeftOut { kind: left.kind, name: left.name, code: left.code }));
        Self {
            any_size: any_size.collect(),
            constants: constants.collect(),
            finite_types: finite_types.collect(),
            assumptions: claim.assumptions.iter().map(|assumption| assumption.origin.line).collect(),
            left_out: left_out.collect(),
        }
    }
}

/// An index type with its named elements.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexType {
    pub(super) name: String,
    pub(super) named: Vec<String>,
}

/// The numbers of invariants and entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counts {
    pub(super) invariants: u64,
    pub(super) proofs: u64,
    pub(super) initial: u64,
    pub(super) relations: u64,
    pub(super) holds_after: u64,
    pub(super) unaffected: u64,
    pub(super) implied: u64,
}

/// An invariant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Invariant {
    pub(super) id: u32,
    pub(super) variables: Vec<String>,
    pub(super) literals: Vec<Literal>,
    #[serde(default)]
    pub(super) universals: Vec<Object<Universal>>,
    pub(super) origin: Origin,
}

/// A literal: a read, whether the sides are equal, and the right side; or a bound: a read, whether it is at most or at
/// least the right side, which is a read or nothing, and the number that is added to that.
pub(super) enum Literal {
    Equation(Vec<Symbol>, bool, Right),
    AtMost(Vec<Symbol>, Option<Vec<Symbol>>, Sum),
    AtLeast(Vec<Symbol>, Option<Vec<Symbol>>, Sum),
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LiteralVisitor;

        impl<'de> Visitor<'de> for LiteralVisitor {
            type Value = Literal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a read, `=` or `!=`, and a value; or a read, `<=` or `>=`, a read or null, and a number")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Literal, A::Error> {
                let left = next(&mut parts, 0, &self)?;
                Ok(match next(&mut parts, 1, &self)? {
                    Sign::Equal => Literal::Equation(left, true, next(&mut parts, 2, &self)?),
                    Sign::Different => Literal::Equation(left, false, next(&mut parts, 2, &self)?),
                    Sign::AtMost => Literal::AtMost(left, next(&mut parts, 2, &self)?, next(&mut parts, 3, &self)?),
                    Sign::AtLeast => Literal::AtLeast(left, next(&mut parts, 2, &self)?, next(&mut parts, 3, &self)?),
                })
            }
        }

        deserializer.deserialize_seq(LiteralVisitor)
    }
}

/// The next element of an array, which has to be there.
fn next<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
    parts: &mut A,
    position: usize,
    expected: &dyn Expected,
) -> Result<T, A::Error> {
    parts.next_element()?.ok_or_else(|| A::Error::invalid_length(position, expected))
}

/// A number that is added to a side of a bound.
pub(super) struct Sum(pub(super) i64);

impl<'de> Deserialize<'de> for Sum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        let fits = number.unsigned_abs() <= NUMBER_LIMIT.unsigned_abs();
        if fits { Ok(Self(number)) } else { Err(D::Error::custom("a number out of range")) }
    }
}

/// A universal part of an invariant's cube.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Universal {
    pub(super) variables: Vec<String>,
    pub(super) literals: Vec<Literal>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum Sign {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    Different,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = ">=")]
    AtLeast,
}

/// The right side of a literal.
#[derive(Deserialize)]
#[serde(untagged, expecting = "the name of a constant, a number, a read, or an object with `element` and `of`")]
pub(super) enum Right {
    Variable(u32),
    Constant(String),
    Read(Vec<Symbol>),
    Element(Object<Element>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Element {
    pub(super) element: String,
    pub(super) of: String,
}

/// Where an invariant comes from.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an object with `property`, or with `rule` and `of`")]
pub(super) enum Origin {
    Property(Object<PropertyOrigin>),
    PreImage(Object<PreImageOrigin>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PropertyOrigin {
    pub(super) property: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PreImageOrigin {
    pub(super) rule: u32,
    pub(super) of: u32,
}

/// The argument for a cube of a property.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    pub(super) property: u32,
    pub(super) name: String,
    pub(super) cube: u32,
    pub(super) by: Vec<Instance>,
    #[serde(default, deserialize_with = "present")]
    pub(super) split: Option<Box<Object<Split>>>,
}

/// A match of a startstate and an invariant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Initial {
    pub(super) s: u32,
    pub(super) i: u32,
    pub(super) m: Vec<Symbol>,
}

/// The relations of one rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleRelations {
    pub(super) rule: u32,
    pub(super) name: String,
    pub(super) case: String,
    pub(super) entries: Vec<Object<Relation>>,
}

/// A relation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relation {
    pub(super) i: u32,
    #[serde(default, deserialize_with = "present")]
    pub(super) m: Option<Vec<Symbol>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) b: Option<u32>,
    pub(super) k: Kind,
    #[serde(default, deserialize_with = "present")]
    pub(super) by: Option<Vec<Instance>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) split: Option<Box<Object<Split>>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    HoldsAfter,
    Unaffected,
    Implied,
}

/// An invariant, and a symbol for each of its variables.
#[derive(Deserialize)]
pub(super) struct Instance(pub(super) u32, pub(super) Vec<Symbol>);

/// What a split on a bound compares: a read, a read or nothing, and the number that is added.
#[derive(Deserialize)]
pub(super) struct Bound(pub(super) Vec<Symbol>, pub(super) Option<Vec<Symbol>>, pub(super) Sum);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Split {
    #[serde(default, deserialize_with = "present")]
    pub(super) on: Option<Vec<Symbol>>,
    #[serde(default, deserialize_with = "present")]
    pub(super) witness: Option<Instance>,
    #[serde(default, deserialize_with = "present")]
    pub(super) bound: Option<Bound>,
    pub(super) cases: Vec<Object<Argument>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Argument {
    pub(super) by: Vec<Instance>,
    #[serde(default, deserialize_with = "present")]
    pub(super) split: Option<Box<Object<Split>>>,
}

/// A JSON object. The code that `serde` derives for a struct would accept an array as well.
#[derive(PartialEq, Eq)]
pub(super) struct Object<T>(pub(super) T);

impl<T: fmt::Debug> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_any(ObjectVisitor(PhantomData))
    }
}

/// The value of a key that is present; `null` is not allowed.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A symbol, or the name of a state variable: a read is its name followed by its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Variable(u32),
    Other(u32),
    Named(String),
    Plain(String),
}

impl Symbol {
    pub(super) fn of_text(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix(NAMED_SIGN) {
            return Some(Self::Named(name.to_owned()));
        }
        let Some(number) = text.strip_prefix(OTHER_SIGN) else {
            return Some(Self::Plain(text.to_owned()));
        };
        // Only the canonical form of a number is accepted, so that no two texts denote the same symbol.
        let parsed: u32 = number.parse().ok()?;
        (parsed.to_string() == number).then_some(Self::Other(parsed))
    }
}

impl<'de> Deserialize<'de> for Symbol {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SymbolVisitor;

        impl Visitor<'_> for SymbolVisitor {
            type Value = Symbol;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, `@NAME` or `+NUMBER`")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Symbol, E> {
                u32::try_from(number).map(Symbol::Variable).map_err(|_| E::custom("a number out of range"))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Symbol, E> {
                Symbol::of_text(text).ok_or_else(|| E::custom("no number after `+`"))
            }
        }

        deserializer.deserialize_any(SymbolVisitor)
    }
}
