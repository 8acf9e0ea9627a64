//! Terms, literals, cubes and formulas as text, in the names that the model gives them and in the signs for logic of Murphi or of
//! Cubicle's language.
//!
//! Expressions are built as trees and rendered in one place, which sets the brackets, so a text always means the same as its
//! tree. An invariant rendered here can be pasted into the model that the system comes from.

use std::collections::BTreeSet;
use std::fmt;

use crate::{
    Comparison, ConstantId, Cube, FALSE, Formula, IndexTerm, IndexTypeId, IndexVariableId, Literal, NamedId, PathStep,
    System, TRUE, Term, Universal, VariableId,
};

use crate::definedness::Definedness;

/// The language whose signs an expression is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Murphi.
    #[default]
    Murphi,
    /// The language of Cubicle.
    Cubicle,
}

impl Language {
    fn unequal(self) -> &'static str {
        match self {
            Self::Murphi => "!=",
            Self::Cubicle => "<>",
        }
    }

    fn not(self) -> &'static str {
        match self {
            Self::Murphi => "!",
            Self::Cubicle => "not ",
        }
    }

    fn and(self) -> &'static str {
        match self {
            Self::Murphi => " &",
            Self::Cubicle => " &&",
        }
    }

    fn or(self) -> &'static str {
        match self {
            Self::Murphi => " |",
            Self::Cubicle => " ||",
        }
    }

    fn implies(self) -> &'static str {
        match self {
            Self::Murphi => " ->",
            Self::Cubicle => " =>",
        }
    }

    /// Returns what comes before the body of a quantifier.
    fn quantifier(self, quantifier: Quantifier, variable: &str, over: &str) -> String {
        match self {
            Self::Murphi => format!("{quantifier} {variable} : {over} do"),
            Self::Cubicle if over == PROCESSES => format!("{quantifier} {variable}."),
            // Cubicle's language has quantifiers over processes only.
            Self::Cubicle => format!("{quantifier} {variable} : {over}."),
        }
    }

    /// Returns what comes behind the body of a quantifier.
    fn end(self) -> &'static str {
        match self {
            Self::Murphi => "end",
            Self::Cubicle => "",
        }
    }
}

/// The name of the processes in Cubicle's language.
const PROCESSES: &str = "proc";

/// An expression in the signs of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    expression: Expression,
    language: Language,
}

impl Written {
    /// The text in lines of at most this width where that is possible.
    #[must_use]
    pub fn lines(&self, width: usize) -> String {
        let mut text = String::new();
        self.expression.layout(self.language, 0, width, &mut text);
        text
    }
}

impl fmt::Display for Written {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown(&self.expression, self.language).fmt(formatter)
    }
}

/// A part of an expression in the signs of a language.
struct Shown<'e>(&'e Expression, Language);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, formatter)
    }
}

/// An expression, as Murphi has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A name or the text of a constant.
    Name(String),
    /// A field of a record.
    Field(Box<Expression>, String),
    /// An element of an array.
    Element(Box<Expression>, Box<Expression>),
    /// Whether a scalar is undefined.
    IsUndefined(Box<Expression>),
    /// Equality.
    Equal(Box<Expression>, Box<Expression>),
    /// Inequality.
    Unequal(Box<Expression>, Box<Expression>),
    /// A comparison of two numbers.
    Ordered(Box<Expression>, Order, Box<Expression>),
    /// A number plus a number that is not 0.
    Sum(Box<Expression>, i64),
    /// Negation.
    Not(Box<Expression>),
    /// Conjunction; of nothing it is `true`.
    And(Vec<Expression>),
    /// Disjunction; of nothing it is `false`.
    Or(Vec<Expression>),
    /// Implication.
    Implies(Box<Expression>, Box<Expression>),
    /// Quantification over a type.
    Quantified(Quantifier, String, String, Box<Expression>),
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The left one is less.
    Less,
    /// The left one is less or equal.
    AtMost,
    /// The left one is greater.
    Greater,
    /// The left one is greater or equal.
    AtLeast,
}

impl fmt::Display for Order {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        })
    }
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// For all elements.
    Forall,
    /// For some element.
    Exists,
}

/// How strongly an expression holds together. An operand is bracketed unless it holds together more strongly than its
/// operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Implies,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Atom,
}

impl Expression {
    /// A name.
    #[must_use]
    pub fn name(text: impl Into<String>) -> Self {
        Self::Name(text.into())
    }

    /// The conjunction of expressions, without a node for a single one.
    #[must_use]
    pub fn and(mut conjuncts: Vec<Self>) -> Self {
        match conjuncts.pop() {
            Some(only) if conjuncts.is_empty() => only,
            Some(last) => {
                conjuncts.push(last);
                Self::And(conjuncts)
            }
            None => Self::And(conjuncts),
        }
    }

    /// The disjunction of expressions, without a node for a single one.
    #[must_use]
    pub fn or(mut disjuncts: Vec<Self>) -> Self {
        match disjuncts.pop() {
            Some(only) if disjuncts.is_empty() => only,
            Some(last) => {
                disjuncts.push(last);
                Self::Or(disjuncts)
            }
            None => Self::Or(disjuncts),
        }
    }

    /// The premises imply the conclusion, or the conclusion alone where there are none.
    #[must_use]
    pub fn implies(premises: Vec<Self>, conclusion: Self) -> Self {
        if premises.is_empty() {
            return conclusion;
        }
        Self::Implies(Box::new(Self::and(premises)), Box::new(conclusion))
    }

    /// An equation or its negation.
    #[must_use]
    pub fn equation(left: Self, equal: bool, right: Self) -> Self {
        let (left, right) = (Box::new(left), Box::new(right));
        if equal { Self::Equal(left, right) } else { Self::Unequal(left, right) }
    }

    /// A comparison of two terms, where 0 as the right side of a bound is replaced by the number that is added to it. A
    /// bound by less than 1 more or by at least 1 more than a number is written as a strict one.
    #[must_use]
    pub fn comparison(left: Self, comparison: Comparison, right: Option<Self>) -> Self {
        let (order, sum) = match (comparison, &right) {
            (Comparison::Equal | Comparison::Different, _) => {
                return Self::equation(left, comparison.is_equal(), right.unwrap_or_else(|| Self::name("0")));
            }
            (Comparison::AtMost(-1), Some(_)) => (Order::Less, 0),
            (Comparison::AtMost(sum), _) => (Order::AtMost, sum),
            (Comparison::AtLeast(1), Some(_)) => (Order::Greater, 0),
            (Comparison::AtLeast(sum), _) => (Order::AtLeast, sum),
        };
        Self::Ordered(Box::new(left), order, Box::new(Self::sum(right, sum)))
    }

    /// A term plus a number, or the number alone in place of 0.
    #[must_use]
    pub fn sum(term: Option<Self>, number: i64) -> Self {
        match (term, number) {
            (None, number) => Self::name(number.to_string()),
            (Some(term), 0) => term,
            (Some(term), number) => Self::Sum(Box::new(term), number),
        }
    }

    /// The expression with another name in place of one that is not bound in it.
    #[must_use]
    pub fn renamed(&self, from: &str, to: &str) -> Self {
        let one = |part: &Self| Box::new(part.renamed(from, to));
        let all = |parts: &[Self]| parts.iter().map(|part| part.renamed(from, to)).collect();
        match self {
            Self::Name(name) => Self::name(if name == from { to } else { name }),
            Self::Field(record, field) => Self::Field(one(record), field.clone()),
            Self::Element(array, index) => Self::Element(one(array), one(index)),
            Self::IsUndefined(scalar) => Self::IsUndefined(one(scalar)),
            Self::Equal(left, right) => Self::Equal(one(left), one(right)),
            Self::Unequal(left, right) => Self::Unequal(one(left), one(right)),
            Self::Ordered(left, order, right) => Self::Ordered(one(left), *order, one(right)),
            Self::Sum(term, number) => Self::Sum(one(term), *number),
            Self::Not(part) => Self::Not(one(part)),
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            Self::Implies(left, right) => Self::Implies(one(left), one(right)),
            Self::Quantified(quantifier, variable, over, body) => {
                Self::Quantified(*quantifier, variable.clone(), over.clone(), one(body))
            }
        }
    }

    /// The expression in the signs of a language.
    #[must_use]
    pub fn in_language(self, language: Language) -> Written {
        Written { expression: self, language }
    }

    fn strength(&self, language: Language) -> Strength {
        match self {
            Self::Quantified(..) => match language {
                Language::Murphi => Strength::Atom,
                // The body extends as far as possible.
                Language::Cubicle => Strength::Implies,
            },
            Self::Name(_) | Self::Field(..) | Self::Element(..) | Self::IsUndefined(_) => Strength::Atom,
            Self::Equal(..) | Self::Unequal(..) | Self::Ordered(..) => Strength::Comparison,
            Self::Sum(..) => Strength::Sum,
            Self::Not(_) => Strength::Not,
            Self::And(parts) if parts.is_empty() => Strength::Atom,
            Self::And(_) => Strength::And,
            Self::Or(parts) if parts.is_empty() => Strength::Atom,
            Self::Or(_) => Strength::Or,
            Self::Implies(..) => Strength::Implies,
        }
    }

    /// The text in lines of at most this width where that is possible, as Murphi.
    #[must_use]
    pub fn lines(&self, width: usize) -> String {
        let mut text = String::new();
        self.layout(Language::Murphi, 0, width, &mut text);
        text
    }

    fn layout(&self, language: Language, indent: usize, width: usize, text: &mut String) {
        let flat = Shown(self, language).to_string();
        if indent + flat.chars().count() <= width {
            text.push_str(&flat);
            return;
        }
        match self {
            Self::Quantified(quantifier, variable, over, body) => {
                text.push_str(&language.quantifier(*quantifier, variable, over));
                new_line(indent + 2, text);
                body.layout(language, indent + 2, width, text);
                if !language.end().is_empty() {
                    new_line(indent, text);
                    text.push_str(language.end());
                }
            }
            Self::Implies(left, right) => {
                left.operand_layout((language, Strength::Implies), indent, width, text);
                text.push_str(language.implies());
                new_line(indent, text);
                right.operand_layout((language, Strength::Implies), indent, width, text);
            }
            Self::And(parts) => join_layout(parts, (language, Strength::And), language.and(), indent, width, text),
            Self::Or(parts) => join_layout(parts, (language, Strength::Or), language.or(), indent, width, text),
            Self::Name(_)
            | Self::Field(..)
            | Self::Element(..)
            | Self::IsUndefined(_)
            | Self::Equal(..)
            | Self::Unequal(..)
            | Self::Ordered(..)
            | Self::Sum(..)
            | Self::Not(_) => text.push_str(&flat),
        }
    }

    fn operand_layout(
        &self,
        (language, operator): (Language, Strength),
        indent: usize,
        width: usize,
        text: &mut String,
    ) {
        if self.strength(language) > operator {
            self.layout(language, indent, width, text);
        } else {
            text.push('(');
            self.layout(language, indent + 1, width, text);
            text.push(')');
        }
    }

    fn operand(&self, language: Language, operator: Strength, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.strength(language) > operator {
            return self.write(language, formatter);
        }
        formatter.write_str("(")?;
        self.write(language, formatter)?;
        formatter.write_str(")")
    }

    fn write(&self, language: Language, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |parts: &[Self], operator, sign: &str, formatter: &mut fmt::Formatter<'_>| {
            for (position, part) in parts.iter().enumerate() {
                if position > 0 {
                    write!(formatter, "{sign} ")?;
                }
                part.operand(language, operator, formatter)?;
            }
            Ok(())
        };
        let binary = |left: &Self, sign: &str, right: &Self, formatter: &mut fmt::Formatter<'_>| {
            left.operand(language, Strength::Comparison, formatter)?;
            write!(formatter, " {sign} ")?;
            right.operand(language, Strength::Comparison, formatter)
        };
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Field(..) | Self::Element(..) if language == Language::Cubicle => {
                let (name, indices) = self.designator();
                formatter.write_str(&name)?;
                if indices.is_empty() {
                    return Ok(());
                }
                let indices: Vec<String> =
                    indices.into_iter().map(|index| Shown(index, language).to_string()).collect();
                write!(formatter, "[{}]", indices.join(", "))
            }
            Self::Field(record, field) => write!(formatter, "{record}.{field}"),
            Self::Element(array, index) => write!(formatter, "{array}[{index}]"),
            Self::IsUndefined(scalar) => {
                formatter.write_str("isundefined(")?;
                scalar.write(language, formatter)?;
                formatter.write_str(")")
            }
            Self::Equal(left, right) => binary(left, "=", right, formatter),
            Self::Unequal(left, right) => binary(left, language.unequal(), right, formatter),
            Self::Ordered(left, order, right) => binary(left, &order.to_string(), right, formatter),
            Self::Sum(term, number) => {
                term.operand(language, Strength::Sum, formatter)?;
                write!(formatter, " {} {}", if *number < 0 { '-' } else { '+' }, number.unsigned_abs())
            }
            Self::Not(part) => {
                // What `!` takes as its operand differs between Murphi's descendants, so only atoms go without brackets.
                formatter.write_str(language.not())?;
                part.operand(language, Strength::Comparison, formatter)
            }
            Self::And(parts) if parts.is_empty() => formatter.write_str("true"),
            Self::And(parts) => join(parts, Strength::And, language.and(), formatter),
            Self::Or(parts) if parts.is_empty() => formatter.write_str("false"),
            Self::Or(parts) => join(parts, Strength::Or, language.or(), formatter),
            Self::Implies(left, right) => {
                left.operand(language, Strength::Implies, formatter)?;
                write!(formatter, "{} ", language.implies())?;
                right.operand(language, Strength::Implies, formatter)
            }
            Self::Quantified(quantifier, variable, over, body) => {
                write!(formatter, "{} ", language.quantifier(*quantifier, variable, over))?;
                body.write(language, formatter)?;
                if language.end().is_empty() { Ok(()) } else { write!(formatter, " {}", language.end()) }
            }
        }
    }

    /// Returns the name of a variable whose fields are variables of their own, and its indices.
    fn designator(&self) -> (String, Vec<&Self>) {
        match self {
            Self::Field(record, field) => {
                let (name, indices) = record.designator();
                (format!("{name}_{field}"), indices)
            }
            Self::Element(array, index) => {
                let (name, mut indices) = array.designator();
                indices.push(index);
                (name, indices)
            }
            Self::Name(_)
            | Self::IsUndefined(_)
            | Self::Equal(..)
            | Self::Unequal(..)
            | Self::Ordered(..)
            | Self::Sum(..)
            | Self::Not(_)
            | Self::And(_)
            | Self::Or(_)
            | Self::Implies(..)
            | Self::Quantified(..) => (self.to_string(), Vec::new()),
        }
    }
}

fn new_line(indent: usize, text: &mut String) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
}

fn join_layout(
    parts: &[Expression],
    (language, operator): (Language, Strength),
    sign: &str,
    indent: usize,
    width: usize,
    text: &mut String,
) {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            text.push_str(sign);
            new_line(indent, text);
        }
        part.operand_layout((language, operator), indent, width, text);
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Forall => "forall",
            Self::Exists => "exists",
        })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Language::Murphi, formatter)
    }
}

/// Renders pieces of one system.
pub struct Notation<'a> {
    system: &'a System,
    taken: BTreeSet<&'a str>,
    definedness: Definedness,
    language: Language,
}

impl<'a> Notation<'a> {
    /// A renderer for a system.
    #[must_use]
    pub fn new(system: &'a System) -> Self {
        let steps = system.variables.iter().flat_map(|variable| &variable.path).filter_map(|step| match step {
            PathStep::Global(name) | PathStep::Field(name) => Some(name.as_str()),
            PathStep::Number(name) | PathStep::Holds(name) => Some(name.as_str()),
            PathStep::Element(_)
            | PathStep::Argument(_)
            | PathStep::Multiset
            | PathStep::Rank
            | PathStep::Count(..)
            | PathStep::Half(..)
            | PathStep::Next(..) => None,
        });
        let taken = steps
            .chain(system.index_types.iter().map(|index_type| index_type.name.as_str()))
            .chain(system.named.iter().map(|named| named.name.as_str()))
            .chain(system.constants.iter().map(|constant| constant.name.as_str()))
            .chain(system.sorts.iter().map(|sort| sort.name.as_str()))
            .collect();
        Self { system, taken, definedness: Definedness::of(system), language: Language::Murphi }
    }

    /// The renderer for the signs of a language.
    #[must_use]
    pub fn in_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// An expression in the signs of the language.
    #[must_use]
    pub fn written(&self, expression: Expression) -> Written {
        expression.in_language(self.language)
    }

    /// The name of a value. In Cubicle's language, all values start with a capital letter.
    #[must_use]
    pub fn constant(&self, constant: ConstantId) -> String {
        match (self.language, constant) {
            (Language::Cubicle, FALSE) => "False".to_owned(),
            (Language::Cubicle, TRUE) => "True".to_owned(),
            (Language::Cubicle | Language::Murphi, _) => self.system.constants[constant.index()].name.clone(),
        }
    }

    /// The name of an index type. In Cubicle's language, the first one is that of the processes.
    fn over(&self, index_type: IndexTypeId) -> String {
        match self.language {
            Language::Cubicle if index_type.index() == 0 => PROCESSES.to_owned(),
            Language::Cubicle | Language::Murphi => self.system.written_type(index_type),
        }
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Names for the variables of a cube, which no other name of the model hides.
    #[must_use]
    pub fn names(&self, types: &[IndexTypeId]) -> Vec<String> {
        self.names_besides(types, &[])
    }

    /// Names for further variables, for example those of a universal part of a cube.
    fn names_besides(&self, types: &[IndexTypeId], known: &[String]) -> Vec<String> {
        let mut used: BTreeSet<String> = known.iter().cloned().collect();
        let mut names = Vec::with_capacity(types.len());
        for &index_type in types {
            let name = self
                .candidates(index_type)
                .find(|name| !used.contains(name) && !self.taken.contains(name.as_str()))
                .expect("there are infinitely many candidates");
            used.insert(name.clone());
            names.push(name);
        }
        names
    }

    /// `i`, `j`, ... for the first index type, the initial of the type for the others, then either with numbers.
    fn candidates(&self, index_type: IndexTypeId) -> impl Iterator<Item = String> {
        let first = index_type.index() == 0;
        let initial = self.system.index_types[index_type.index()].name.chars().find(char::is_ascii_alphabetic);
        let letter = initial.map_or('x', |c| c.to_ascii_lowercase());
        let letters = if first { "ijklmn".to_owned() } else { letter.to_string() };
        let base = if first { 'i' } else { letter };
        let short: Vec<String> = letters.chars().map(String::from).collect();
        short.into_iter().chain((2_u32..).map(move |number| format!("{base}{number}")))
    }

    /// An index term, where the variables of the scope have these names.
    #[must_use]
    pub fn index_term(&self, term: IndexTerm, names: &[String]) -> Expression {
        Expression::Name(match term {
            IndexTerm::Variable(variable) => names[variable.index()].clone(),
            IndexTerm::Named(named) => self.system.written_element(named),
        })
    }

    /// A state variable at arguments.
    #[must_use]
    pub fn read(&self, variable: VariableId, arguments: &[Expression]) -> Expression {
        let mut designator = Expression::Name(String::new());
        for step in &self.system.variables[variable.index()].path {
            designator = match step {
                PathStep::Global(name) => Expression::name(name),
                PathStep::Field(name) => Expression::Field(Box::new(designator), name.clone()),
                PathStep::Element(constant) => {
                    let element = Expression::name(self.constant(*constant));
                    Expression::Element(Box::new(designator), Box::new(element))
                }
                PathStep::Argument(position) => {
                    let position = usize::try_from(*position).expect("a position in a list fits");
                    Expression::Element(Box::new(designator), Box::new(arguments[position].clone()))
                }
                PathStep::Multiset => designator,
                // An element compares as its rank does.
                PathStep::Rank => arguments[0].clone(),
                PathStep::Number(name) | PathStep::Holds(name) => Expression::name(name),
                PathStep::Half(..) => Expression::name(&self.system.variables[variable.index()].name),
                PathStep::Next(of, position, by) => {
                    let mut moved = arguments.to_vec();
                    if let Some(argument) = moved.get_mut(usize::try_from(*position).unwrap_or(usize::MAX)) {
                        let sign = if *by < 0 { '-' } else { '+' };
                        *argument = Expression::name(format!(
                            "{} {sign} {}",
                            self.written(argument.clone()),
                            by.unsigned_abs()
                        ));
                    }
                    self.read(*of, &moved)
                }
                PathStep::Count(counted, constant, positive) => {
                    let counted = self.read(*counted, &[Expression::name("_")]);
                    let constant = Expression::name(self.constant(*constant));
                    let which = self.written(Expression::equation(counted, *positive, constant));
                    Expression::name(format!("#({which})"))
                }
            };
        }
        designator
    }

    /// A state variable at elements with these names.
    #[must_use]
    pub fn read_at(&self, variable: VariableId, elements: &[String]) -> Expression {
        self.read(variable, &elements.iter().map(Expression::name).collect::<Vec<_>>())
    }

    /// A term, where the variables of the scope have these names.
    #[must_use]
    pub fn term(&self, term: &Term, names: &[String]) -> Expression {
        match term {
            Term::Constant(constant) => Expression::name(self.constant(*constant)),
            Term::Zero => Expression::name("0"),
            Term::Index(index) => self.index_term(*index, names),
            Term::Read(variable, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.index_term(*argument, names)).collect();
                self.read(*variable, &arguments)
            }
        }
    }

    /// A literal, where the variables of the scope have these names.
    #[must_use]
    pub fn literal(&self, literal: &Literal, names: &[String]) -> Expression {
        self.comparison(&literal.left, literal.comparison, &literal.right, names)
    }

    fn comparison(&self, left: &Term, comparison: Comparison, right: &Term, names: &[String]) -> Expression {
        let other = (*right != Term::Zero).then(|| self.term(right, names));
        Expression::comparison(self.term(left, names), comparison, other)
    }

    /// The opposite of a literal. For a boolean it names the other value, as a reader would.
    #[must_use]
    pub fn negated(&self, literal: &Literal, names: &[String]) -> Expression {
        if let (Term::Read(variable, _), Term::Constant(constant)) = (&literal.left, &literal.right) {
            let sort = self.system.sort_of(*variable);
            if let ([one, other], true) = (&sort.constants[..], sort.is_finite()) {
                let value = if literal.comparison.is_equal() == (*constant == *one) { other } else { one };
                let value = Expression::name(self.constant(*value));
                return Expression::equation(self.term(&literal.left, names), true, value);
            }
        }
        self.comparison(&literal.left, literal.comparison.negated(), &literal.right, names)
    }

    /// A formula, where the variables of the scope have these names and types.
    #[must_use]
    pub fn formula(&self, formula: &Formula, names: &[String], types: &[IndexTypeId]) -> Expression {
        let quantified = |quantifier, variable: &IndexVariableId, body: &Formula| {
            let over = self.over(types[variable.index()]);
            let body = Box::new(self.formula(body, names, types));
            Expression::Quantified(quantifier, names[variable.index()].clone(), over, body)
        };
        let all = |parts: &[Formula], and| self.parts(parts, and, names, types);
        match formula {
            Formula::True => Expression::And(Vec::new()),
            Formula::False => Expression::Or(Vec::new()),
            Formula::Equal(left, right) => Expression::equation(self.term(left, names), true, self.term(right, names)),
            Formula::AtMost(left, right, sum) if *left == Term::Zero => {
                self.comparison(right, Comparison::AtLeast(-sum), left, names)
            }
            Formula::AtMost(left, right, sum) => self.comparison(left, Comparison::AtMost(*sum), right, names),
            Formula::Not(part) => {
                if let Formula::Equal(left, right) = &**part {
                    let literal = Literal { left: left.clone(), comparison: Comparison::Equal, right: right.clone() };
                    return self.negated(&literal, names);
                }
                Expression::Not(Box::new(self.formula(part, names, types)))
            }
            Formula::And(parts) => Expression::and(all(parts, true)),
            Formula::Or(parts) => Expression::or(all(parts, false)),
            Formula::Forall(variable, body) => quantified(Quantifier::Forall, variable, body),
            Formula::Exists(variable, body) => quantified(Quantifier::Exists, variable, body),
        }
    }

    /// The parts of a conjunction or disjunction. Two bounds in a row that say that two numbers are equal, or that they
    /// differ, are one part.
    fn parts(&self, parts: &[Formula], and: bool, names: &[String], types: &[IndexTypeId]) -> Vec<Expression> {
        let mut all = Vec::new();
        let mut rest = parts;
        while let [first, more @ ..] = rest {
            rest = more;
            if let (Formula::AtMost(left, right, sum), [Formula::AtMost(other_left, other_right, back), ..]) =
                (first, more)
                && (left, right) == (other_right, other_left)
                && sum + back == if and { 0 } else { -2 }
            {
                let sum = if and { *sum } else { sum + 1 };
                let (left, right, sum) = if *left == Term::Zero { (right, left, -sum) } else { (left, right, sum) };
                all.push(self.numbers_are_equal(left, and, (right, sum), names));
                rest = &more[1..];
            } else {
                all.push(self.formula(first, names, types));
            }
        }
        all
    }

    /// That two numbers are equal, or that they differ, where something is added to the right one.
    fn numbers_are_equal(&self, left: &Term, equal: bool, (right, sum): (&Term, i64), names: &[String]) -> Expression {
        let right = (*right != Term::Zero).then(|| self.term(right, names));
        Expression::equation(self.term(left, names), equal, Expression::sum(right, sum))
    }

    /// Groups of literals as expressions, or their negations; see [`groups`].
    #[must_use]
    pub fn grouped(&self, literals: &[&Literal], positive: bool, names: &[String]) -> Vec<Expression> {
        groups(literals).iter().map(|group| self.group(group, positive, names)).collect()
    }

    fn group(&self, group: &[&Literal], positive: bool, names: &[String]) -> Expression {
        let parts = group.iter().map(|literal| (literal, literal.comparison)).collect::<Vec<_>>();
        if let [(one, Comparison::AtMost(sum) | Comparison::AtLeast(sum)), _] = parts[..] {
            return self.numbers_are_equal(&one.left, positive, (&one.right, sum), names);
        }
        let one =
            |literal: &&Literal| if positive { self.literal(literal, names) } else { self.negated(literal, names) };
        let all = group.iter().map(one).collect();
        if positive { Expression::and(all) } else { Expression::or(all) }
    }

    /// Whether Murphi can say what a cube says: it has no names for the elements of a scalarset that stays finite.
    #[must_use]
    pub fn can_say(&self, cube: &Cube) -> bool {
        let nameless = |constant: &ConstantId| self.system.constants[constant.index()].scalarset.is_some();
        let in_path = |step: &PathStep| match step {
            PathStep::Element(constant) => nameless(constant),
            PathStep::Multiset
            | PathStep::Number(_)
            | PathStep::Holds(_)
            | PathStep::Count(..)
            | PathStep::Next(..) => true,
            PathStep::Global(_) | PathStep::Field(_) | PathStep::Argument(_) | PathStep::Rank | PathStep::Half(..) => {
                false
            }
        };
        let literals = cube.literals.iter().chain(cube.universals.iter().flat_map(|universal| &universal.literals));
        let terms = literals.flat_map(|literal| [&literal.left, &literal.right]);
        !terms.into_iter().any(|term| match term {
            Term::Constant(constant) => nameless(constant),
            Term::Index(_) | Term::Zero => false,
            Term::Read(variable, _) => self.system.variables[variable.index()].path.iter().any(in_path),
        })
    }

    /// Whether Cubicle's language can say that no state satisfies a cube: an `invariant` is about processes, without `forall`.
    #[must_use]
    pub fn is_a_candidate(&self, cube: &Cube) -> bool {
        cube.universals.is_empty() && cube.variables.iter().all(|own| own.index() == 0) && self.can_say(cube)
    }

    /// The literals and universal parts of a cube, as the bad states that they describe. That the variables are distinct
    /// goes without saying here.
    #[must_use]
    pub fn bad_states(&self, cube: &Cube, names: &[String]) -> Expression {
        let universals = cube.universals.iter().map(|universal| {
            let (all, separation) = self.others(cube, universal, names);
            let clause = Expression::or(universal.literals.iter().map(|literal| self.literal(literal, &all)).collect());
            self.quantified(
                Quantifier::Forall,
                &universal.variables,
                &all[names.len()..],
                Expression::implies(separation, clause),
            )
        });
        let literals = self.grouped(&cube.literals.iter().collect::<Vec<_>>(), true, names);
        Expression::and(literals.into_iter().chain(universals).collect())
    }

    /// The invariant that says that no state satisfies the cube: for all distinct elements, premises imply a
    /// conclusion. If the cube has universal parts, the conclusion is that other elements violate one of them.
    #[must_use]
    pub fn invariant(&self, cube: &Cube, names: &[String]) -> Expression {
        let (premises, conclusion) = self.split(cube);
        let mut parts = self.separation(cube, names);
        let (defined, doubtful): (Vec<&Literal>, Vec<&Literal>) =
            premises.into_iter().partition(|literal| self.doubtful_reads(literal).is_empty());
        parts.extend(self.grouped(&defined, true, names));
        // Asking for the value of an undefined scalar is an error in an instance, so whether it is defined has to be
        // asked first. What is left out, that a scalar is undefined, is no state of the parameterized system.
        let mut asked: BTreeSet<&Term> = BTreeSet::new();
        let mut ask = |literal, parts: &mut Vec<Expression>| {
            for read in self.doubtful_reads(literal) {
                if asked.insert(read) {
                    let test = Expression::IsUndefined(Box::new(self.term(read, names)));
                    parts.push(Expression::Not(Box::new(test)));
                }
            }
        };
        for group in groups(&doubtful) {
            group.iter().for_each(|literal| ask(literal, &mut parts));
            parts.push(self.group(&group, true, names));
        }
        for literal in &conclusion {
            ask(literal, &mut parts);
        }
        let negated = self.grouped(&conclusion, false, names).into_iter();
        let others = cube.universals.iter().map(|universal| self.violated(cube, universal, names));
        let matrix = Expression::implies(parts, Expression::or(negated.chain(others).collect()));
        self.quantified(Quantifier::Forall, &cube.variables, names, matrix)
    }

    /// That some other elements violate a universal part. An undefined scalar may have any value, as in a premise of an
    /// invariant.
    #[must_use]
    pub fn violated(&self, cube: &Cube, universal: &Universal, names: &[String]) -> Expression {
        let (all, mut parts) = self.others(cube, universal, names);
        parts.extend(universal.literals.iter().map(|literal| {
            let reads = self.doubtful_reads(literal).into_iter();
            let undefined = reads.map(|read| Expression::IsUndefined(Box::new(self.term(read, &all))));
            Expression::or(undefined.chain([self.negated(literal, &all)]).collect())
        }));
        self.quantified(Quantifier::Exists, &universal.variables, &all[names.len()..], Expression::and(parts))
    }

    /// The names of a cube's variables and of those of a universal part, and that the latter are other elements.
    fn others(&self, cube: &Cube, universal: &Universal, names: &[String]) -> (Vec<String>, Vec<Expression>) {
        let all = [names, &self.names_besides(&universal.variables, names)].concat();
        let types = [&cube.variables[..], &universal.variables].concat();
        let separation = self.separation_from(&types, names.len(), &all);
        (all, separation)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        types: &[IndexTypeId],
        names: &[String],
        matrix: Expression,
    ) -> Expression {
        types.iter().zip(names).rev().fold(matrix, |body, (index_type, name)| {
            let over = self.over(*index_type);
            Expression::Quantified(quantifier, name.clone(), over, Box::new(body))
        })
    }

    /// That the variables of a cube are distinct, and distinct from the named elements of their types.
    #[must_use]
    pub fn separation(&self, cube: &Cube, names: &[String]) -> Vec<Expression> {
        self.separation_from(&cube.variables, 0, names)
    }

    /// That the variables from a position on are distinct from those before them and from the named elements.
    fn separation_from(&self, types: &[IndexTypeId], from: usize, names: &[String]) -> Vec<Expression> {
        let mut parts = Vec::new();
        for (position, index_type) in types.iter().enumerate().skip(from) {
            let earlier = (0..position).filter(|&other| types[other] == *index_type);
            let this = || Expression::name(&names[position]);
            parts.extend(earlier.map(|other| Expression::equation(Expression::name(&names[other]), false, this())));
            let named = (0..).map(NamedId).zip(&self.system.named).filter(|(_, named)| named.index_type == *index_type);
            let written = named.map(|(id, _)| Expression::name(self.system.written_element(id)));
            parts.extend(written.map(|named| Expression::equation(this(), false, named)));
        }
        parts
    }

    /// Splits a cube into premises, and literals of which the negations are the conclusion.
    ///
    /// What reads best at the end is how two numbers compare, and else a positive statement. So the conclusion is the last
    /// bound, or two that fix a difference; else what a cube says negatively about one read, as far as there is such a
    /// thing; and else its last literal. A bound of a number by another one goes before a bound by a constant.
    #[must_use]
    pub fn split<'c>(&self, cube: &'c Cube) -> (Vec<&'c Literal>, Vec<&'c Literal>) {
        if !cube.universals.is_empty() {
            // The conclusion is that a universal part is violated.
            return (cube.literals.iter().collect(), Vec::new());
        }
        if let Some(chosen) = last_bound(cube) {
            return cube.literals.iter().partition(|literal| !chosen.contains(literal));
        }
        let chosen = cube.literals.iter().rev().find(|literal| !literal.comparison.is_equal()).or_else(|| {
            // A boolean has no negative literals, and its opposite is a positive statement as well.
            cube.literals.iter().rev().find(|literal| self.two_valued(literal)).or(cube.literals.last())
        });
        let Some(chosen) = chosen else {
            return (Vec::new(), Vec::new());
        };
        cube.literals.iter().partition(|literal| {
            let with_it =
                !chosen.comparison.is_equal() && !literal.comparison.is_equal() && literal.left == chosen.left;
            !(*literal == chosen || with_it)
        })
    }

    fn two_valued(&self, literal: &Literal) -> bool {
        matches!(&literal.left, Term::Read(variable, _) if {
            let sort = self.system.sort_of(*variable);
            sort.is_finite() && sort.constants.len() == 2
        })
    }

    fn doubtful_reads<'c>(&self, literal: &'c Literal) -> Vec<&'c Term> {
        let doubtful = |term: &&Term| match term {
            // In Cubicle's language, every variable has a value.
            Term::Read(..) if self.language == Language::Cubicle => false,
            Term::Read(variable, _) => self.definedness.may_be_undefined(*variable),
            Term::Constant(_) | Term::Index(_) | Term::Zero => false,
        };
        [&literal.left, &literal.right].into_iter().filter(doubtful).collect()
    }
}

/// Literals in groups: two bounds that fix a difference together, and each other literal alone.
#[must_use]
pub fn groups<'c>(literals: &[&'c Literal]) -> Vec<Vec<&'c Literal>> {
    let fix = |one: &Literal, other: &Literal| {
        let sums = [one, other].map(|literal| match literal.comparison {
            Comparison::AtMost(sum) => Some((true, sum)),
            Comparison::AtLeast(sum) => Some((false, sum)),
            Comparison::Equal | Comparison::Different => None,
        });
        let [Some((above, one_sum)), Some((other_above, other_sum))] = sums else { return false };
        one.left == other.left && one.right == other.right && above != other_above && one_sum == other_sum
    };
    let mut groups: Vec<Vec<&Literal>> = Vec::new();
    for literal in literals {
        match groups.iter_mut().find(|group| matches!(group[..], [other] if fix(other, literal))) {
            Some(group) => group.push(literal),
            None => groups.push(vec![literal]),
        }
    }
    groups
}

/// The bounds that are a cube's conclusion: a single one between two reads, or else two that fix the difference of two
/// reads, or else a single one by a constant, or else two of that kind; `None` if there is no bound.
fn last_bound(cube: &Cube) -> Option<Vec<&Literal>> {
    let bounds = cube.literals.iter().filter(|literal| literal.comparison.is_bound()).collect::<Vec<_>>();
    let goes_before = |group: &Vec<&Literal>| (group.iter().all(|own| own.right != Term::Zero), group.len() == 1);
    // Of several greatest ones, this is the last.
    groups(&bounds).into_iter().max_by_key(goes_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Expression {
        Expression::name(text)
    }

    fn equal(left: &str, right: &str) -> Expression {
        Expression::equation(name(left), true, name(right))
    }

    #[test]
    fn brackets_are_set_where_they_are_needed() {
        let (a, b, c) = (name("a"), equal("b", "x"), name("c"));
        let and = |l: &Expression, r: &Expression| Expression::and(vec![l.clone(), r.clone()]);
        let or = |l: &Expression, r: &Expression| Expression::or(vec![l.clone(), r.clone()]);
        let implies = |l: &Expression, r: &Expression| Expression::implies(vec![l.clone()], r.clone());
        let not = |e: Expression| Expression::Not(Box::new(e));
        let cases = [
            (or(&and(&a, &b), &c), "a & b = x | c"),
            (and(&or(&a, &b), &c), "(a | b = x) & c"),
            (and(&and(&a, &b), &c), "(a & b = x) & c"),
            (implies(&implies(&a, &b), &c), "(a -> b = x) -> c"),
            (implies(&a, &implies(&b, &c)), "a -> (b = x -> c)"),
            (implies(&or(&a, &b), &and(&a, &c)), "a | b = x -> a & c"),
            (and(&implies(&a, &b), &not(or(&a, &c))), "(a -> b = x) & !(a | c)"),
            (not(b.clone()), "!(b = x)"),
            (not(a.clone()), "!a"),
            (not(not(a.clone())), "!(!a)"),
            (Expression::And(vec![]), "true"),
            (Expression::Or(vec![]), "false"),
        ];
        for (expression, expected) in cases {
            assert_eq!(expression.to_string(), expected);
        }
    }

    #[test]
    fn long_expressions_are_broken_at_their_operators() {
        let premise = Expression::and(vec![equal("Cache[i].State", "Exclusive"), equal("Cache[j].State", "Shared")]);
        let matrix = Expression::Implies(Box::new(premise), Box::new(equal("Memory", "Data")));
        let whole = Expression::Quantified(Quantifier::Forall, "i".into(), "NODE".into(), Box::new(matrix));
        let expected = "\
forall i : NODE do
  Cache[i].State = Exclusive &
  Cache[j].State = Shared ->
  Memory = Data
end";
        assert_eq!(whole.lines(40), expected);
        assert_eq!(whole.lines(200), whole.to_string());
        let flat: String = whole.lines(40).split_whitespace().collect();
        assert_eq!(flat, whole.to_string().split_whitespace().collect::<String>());
    }
}
