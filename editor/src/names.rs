//! The names of a model: where each is declared and used.

use std::collections::BTreeMap;

use system::front_end::Span;

/// What a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Constant,
    Type,
    /// A value of an enumeration.
    Value,
    Field,
    Variable,
    /// A parameter, a bound variable or an alias.
    Local,
    Function,
    Rule,
    Startstate,
    Property,
}

/// A name that is declared.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The name in its declaration.
    pub(crate) place: Span,
    /// The declaration as the text has it, in one line.
    pub(crate) declaration: String,
}

/// An entry of the outline.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// What to go to.
    pub(crate) place: Span,
    /// All of it.
    pub(crate) whole: Span,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) symbols: Vec<Symbol>,
    /// The symbol that is meant at each place, its declaration included.
    places: BTreeMap<Span, usize>,
    pub(crate) outline: Vec<Entry>,
}

impl Names {
    pub(crate) fn declare(&mut self, symbol: Symbol) -> usize {
        let number = self.symbols.len();
        self.places.insert(symbol.place, number);
        self.symbols.push(symbol);
        number
    }

    pub(crate) fn used(&mut self, place: Span, symbol: usize) {
        self.places.insert(place, symbol);
    }

    /// The name at an offset, with its place. Behind the last character of a name is still at it.
    pub(crate) fn at(&self, offset: u32) -> Option<(Span, usize)> {
        let before = Span { start: offset, end: u32::MAX };
        let (place, symbol) = self.places.range(..=before).next_back()?;
        (offset <= place.end).then_some((*place, *symbol))
    }

    /// All places of a symbol, in the order of the text.
    pub(crate) fn places(&self, symbol: usize) -> impl Iterator<Item = Span> {
        self.places.iter().filter(move |(_, own)| **own == symbol).map(|(place, _)| *place)
    }
}

/// A part of the text in one line, cut where it is long.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}...", &line[..cut]),
        None => line,
    }
}
