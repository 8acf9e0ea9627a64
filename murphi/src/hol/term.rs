//! Terms of HOL as trees, and their text in Isabelle's input notation.

/// Lines are broken where they would be longer.
const WIDTH: usize = 110;

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// A name or a numeral.
    Atom(String),
    /// A function with arguments.
    Call(&'static str, Vec<Term>),
    /// A definition with arguments, which are bound variables.
    Instance(String, Vec<String>),
    /// Two operands.
    Infix(&'static str, Box<Term>, Box<Term>),
    /// An element of an array.
    Element(Box<Term>, Box<Term>),
    /// A field of a record.
    Field(Box<Term>, String),
    /// A function of a bound variable.
    Lambda(String, Box<Term>),
    /// A pair.
    Pair(Box<Term>, Box<Term>),
    /// A list.
    List(Vec<Term>),
    /// Statements one after the other.
    Sequence(Vec<Term>),
}

impl Term {
    pub(super) fn atom(name: impl Into<String>) -> Self {
        Self::Atom(name.into())
    }

    pub(super) fn infix(operator: &'static str, left: Self, right: Self) -> Self {
        Self::Infix(operator, Box::new(left), Box::new(right))
    }

    pub(super) fn lambda(name: &str, body: Self) -> Self {
        Self::Lambda(name.to_owned(), Box::new(body))
    }

    /// A whole number of the type `int`.
    pub(super) fn integer(number: i64) -> Self {
        if number < 0 {
            Self::Call("uminus", vec![Self::Atom(number.unsigned_abs().to_string())])
        } else {
            Self::Atom(number.to_string())
        }
    }

    /// The text, with an indentation for lines after the first.
    pub(super) fn text(&self, indent: usize) -> String {
        let flat = self.flat();
        if indent + width(&flat) <= WIDTH { flat } else { self.broken(indent) }
    }

    /// The text on one line.
    pub(super) fn flat(&self) -> String {
        match self {
            Self::Atom(name) => name.clone(),
            Self::Call(name, arguments) => {
                let arguments = arguments.iter().map(Self::argument);
                std::iter::once((*name).to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
            }
            Self::Instance(name, arguments) => {
                std::iter::once(name).chain(arguments).map(String::as_str).collect::<Vec<_>>().join(" ")
            }
            Self::Infix(operator, left, right) => format!("{} {operator} {}", left.operand(), right.operand()),
            Self::Element(place, index) => format!("{}\\<langle>{}\\<rangle>", place.whole(), index.flat()),
            Self::Field(place, field) => format!("{}\\<bullet>{field}", place.whole()),
            Self::Lambda(name, body) => format!("\\<lambda>{name}. {}", body.flat()),
            Self::Pair(left, right) => format!("({}, {})", left.flat(), right.flat()),
            Self::List(items) => format!("[{}]", items.iter().map(Self::flat).collect::<Vec<_>>().join(", ")),
            Self::Sequence(items) if items.is_empty() => "Skip".to_owned(),
            Self::Sequence(items) => items.iter().map(Self::flat).collect::<Vec<_>>().join(" ;; "),
        }
    }

    /// Whether it needs no parentheses as an argument of a function.
    fn is_argument(&self) -> bool {
        match self {
            Self::Atom(_) | Self::Pair(..) | Self::List(_) => true,
            Self::Sequence(items) => items.is_empty(),
            Self::Instance(_, arguments) => arguments.is_empty(),
            Self::Call(..) | Self::Element(..) | Self::Field(..) | Self::Infix(..) | Self::Lambda(..) => false,
        }
    }

    /// Whether it needs no parentheses beside an infix operator.
    fn is_operand(&self) -> bool {
        self.is_argument() || matches!(self, Self::Call(..) | Self::Element(..) | Self::Field(..))
    }

    fn argument(&self) -> String {
        if self.is_argument() { self.flat() } else { format!("({})", self.flat()) }
    }

    /// A place of which this is a part.
    fn whole(&self) -> String {
        if matches!(self, Self::Element(..) | Self::Field(..)) { self.flat() } else { self.argument() }
    }

    fn operand(&self) -> String {
        if self.is_operand() { self.flat() } else { format!("({})", self.flat()) }
    }

    fn argument_text(&self, indent: usize) -> String {
        if self.is_argument() { self.text(indent) } else { format!("({})", self.text(indent + 1)) }
    }

    fn operand_text(&self, indent: usize) -> String {
        if self.is_operand() { self.text(indent) } else { format!("({})", self.text(indent + 1)) }
    }

    fn broken(&self, indent: usize) -> String {
        let line = format!("\n{}", " ".repeat(indent + 2));
        match self {
            Self::Atom(_) | Self::Element(..) | Self::Field(..) | Self::Instance(..) => self.flat(),
            Self::Call(name, arguments) => {
                let arguments = arguments.iter().map(|argument| argument.argument_text(indent + 2));
                std::iter::once((*name).to_owned()).chain(arguments).collect::<Vec<_>>().join(&line)
            }
            Self::Infix(operator, left, right) => {
                format!("{} {operator}{line}{}", left.operand_text(indent), right.operand_text(indent + 2))
            }
            Self::Lambda(name, body) => format!("\\<lambda>{name}.{line}{}", body.text(indent + 2)),
            Self::Pair(left, right) => format!("({},{line}{})", left.text(indent + 1), right.text(indent + 2)),
            Self::List(items) => {
                let items = items.iter().map(|item| item.text(indent + 1)).collect::<Vec<_>>();
                format!("[{}]", items.join(&format!(",\n{}", " ".repeat(indent + 1))))
            }
            Self::Sequence(items) => {
                let items = items.iter().map(|item| item.text(indent)).collect::<Vec<_>>();
                items.join(&format!(" ;;\n{}", " ".repeat(indent)))
            }
        }
    }
}

/// The number of characters that an editor shows, in which each of Isabelle's symbols is one.
fn width(text: &str) -> usize {
    let mut inside = false;
    text.chars()
        .filter(|character| {
            let counts = !inside;
            inside = if inside { *character != '>' } else { *character == '\\' };
            counts
        })
        .count()
}
