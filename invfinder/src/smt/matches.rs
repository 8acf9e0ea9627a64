//! All matches of parameters with the elements of a cube, implemented independently of the search and the checker.

use certificate::proof::{Match, Symbol};
use system::System;
use system::{IndexTypeId, IndexVariable, NamedId};

/// Converts a number of parameters to a list length.
pub(super) fn count(parameters: u32) -> usize {
    usize::try_from(parameters).expect("a length in 32 bits fits")
}

/// Returns every way in which the parameters can be variables of the cube, named elements, or others.
pub(super) fn all(system: &System, parameters: &[&IndexVariable], variables: &[IndexTypeId]) -> Vec<Match> {
    let mut matches: Vec<(Vec<Symbol>, Vec<IndexTypeId>)> = vec![(Vec::new(), Vec::new())];
    for parameter in parameters {
        let over = parameter.index_type;
        let mut longer = Vec::new();
        for (symbols, others) in matches {
            let known = symbols_of_type(system, variables, &others, over);
            let fresh = Symbol::Other(number(others.len()));
            for symbol in known.into_iter().chain([fresh]) {
                let mut next = (symbols.clone(), others.clone());
                next.0.push(symbol);
                if symbol == fresh {
                    next.1.push(over);
                }
                longer.push(next);
            }
        }
        matches = longer;
    }
    matches.into_iter().map(|(symbols, _)| Match(symbols)).collect()
}

/// Returns the types of the others of a match, in order.
pub(super) fn others(parameters: &[IndexVariable], matching: &Match) -> Vec<IndexTypeId> {
    let mut others = Vec::new();
    for (parameter, symbol) in parameters.iter().zip(&matching.0) {
        if *symbol == Symbol::Other(number(others.len())) {
            others.push(parameter.index_type);
        }
    }
    others
}

/// Returns the symbols of a type, in order.
pub(super) fn symbols_of_type(
    system: &System,
    variables: &[IndexTypeId],
    others: &[IndexTypeId],
    over: IndexTypeId,
) -> Vec<Symbol> {
    let of_type = move |(position, index_type): (u32, &IndexTypeId)| (*index_type == over).then_some(position);
    let of_cube = (0..).zip(variables).filter_map(of_type).map(Symbol::Variable);
    let named = (0..).zip(&system.named).filter(|(_, named)| named.index_type == over);
    let named = named.map(|(position, _)| Symbol::Named(NamedId(position)));
    let of_others = (0..).zip(others).filter_map(of_type).map(Symbol::Other);
    of_cube.chain(named).chain(of_others).collect()
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("there are fewer elements than parameters and variables")
}
