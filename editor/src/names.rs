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
    /// Where each local name can be used, at least. Others can be used everywhere.
    pub(crate) locals: BTreeMap<usize, Span>,
    /// The fields of what has a record type, or contains records, and the values of what has an enumeration.
    pub(crate) members: BTreeMap<usize, Vec<usize>>,
    /// Parts of the text that can be folded: the last line stays visible if the flag says so.
    pub(crate) folds: Vec<(Span, bool)>,
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

    /// All places of names, with their symbols, in the order of the text.
    pub(crate) fn all_places(&self) -> impl Iterator<Item = (Span, &Symbol)> {
        self.places.iter().map(|(place, symbol)| (*place, &self.symbols[*symbol]))
    }

    /// The symbols that can be used at an offset, by their names. The names of fields and of what is no name are not among them.
    pub(crate) fn visible(&self, offset: u32) -> BTreeMap<&str, usize> {
        let next = |end: u32| self.outline.iter().map(|entry| entry.whole.start).filter(|start| *start >= end).min();
        let is_visible = |number: usize| match self.locals.get(&number) {
            None => true,
            // Up to the next part of the outline, since what is being typed may not be a part of the model yet.
            Some(own) => own.start <= offset && next(own.end).is_none_or(|end| offset <= end),
        };
        let usable = |kind: Kind| match kind {
            Kind::Constant | Kind::Type | Kind::Value | Kind::Variable | Kind::Local | Kind::Function => true,
            Kind::Field | Kind::Rule | Kind::Startstate | Kind::Property => false,
        };
        let numbered = self.symbols.iter().enumerate();
        let found = numbered.filter(|(number, symbol)| usable(symbol.kind) && is_visible(*number));
        // Later declarations are further inside.
        let (locals, globals): (Vec<_>, Vec<_>) = found.partition(|(number, _)| self.locals.contains_key(number));
        globals.into_iter().chain(locals).map(|(number, symbol)| (symbol.name.as_str(), number)).collect()
    }

    /// The member of a symbol with a name.
    pub(crate) fn member(&self, symbol: usize, name: &str) -> Option<usize> {
        self.members.get(&symbol)?.iter().copied().find(|member| self.symbols[*member].name == name)
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
