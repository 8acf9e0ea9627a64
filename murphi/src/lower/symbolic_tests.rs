//! Tests the machine on hand-written bodies: reads after writes, branches, loops and choices.

use super::*;
use system::{Constant, ConstantId, IndexType, Origin};

const NODE: IndexTypeId = IndexTypeId(0);
const STATE: VariableId = VariableId(0);
const FLAG: VariableId = VariableId(1);
const POINTER: VariableId = VariableId(2);
const COUNT: VariableId = VariableId(3);

struct Fixture {
    universe: Universe,
    colours: Vec<ConstantId>,
    i: IndexTerm,
}

/// `State : array [NODE] of {I, S, E}; Flag : boolean; Pointer : NODE; Count : 0..2`, and a parameter `i`.
fn fixture() -> Fixture {
    let mut universe = Universe::new();
    universe.index_types.push(IndexType {
        name: "NODE".into(),
        anonymous: false,
        size: 3,
        first: 1,
        origin: Origin::default(),
    });
    universe.inhabited = vec![true];
    let colours: Vec<ConstantId> = ["I", "S", "E"].map(|n| universe.constant(n)).to_vec();
    let state = universe.sort("STATE", vec![], colours.clone());
    let boolean = universe.sort("boolean", vec![], vec![FALSE, TRUE]);
    let node = universe.sort("NODE", vec![NODE], vec![]);
    let numbers: Vec<ConstantId> = (0..3).map(|n| universe.integer(n)).collect();
    let count = universe.sort("0..2", vec![], numbers);
    universe.cell(state, vec![NODE]);
    universe.cell(boolean, vec![]);
    universe.cell(node, vec![]);
    universe.cell(count, vec![]);
    universe.state_variables = universe.cells.len();
    let i = IndexTerm::Variable(universe.index_variable("i", NODE, Role::Parameter));
    Fixture { universe, colours, i }
}

fn state(at: IndexTerm) -> Term {
    Term::Read(STATE, vec![at])
}

fn value(constant: ConstantId) -> Value {
    Value::Term(Term::Constant(constant))
}

fn is(at: IndexTerm, constant: ConstantId) -> Formula {
    Formula::Equal(state(at), Term::Constant(constant))
}

fn same(a: IndexTerm, b: IndexTerm) -> Formula {
    Formula::Equal(Term::Index(a.min(b)), Term::Index(a.max(b)))
}

type Run<'u> = SymbolicMachine<'u, ()>;

#[test]
fn a_read_after_a_write_sees_it_where_the_index_may_be_equal() {
    let mut fixture = fixture();
    let j = IndexTerm::Variable(fixture.universe.index_variable("j", NODE, Role::Parameter));
    let mut machine = Run::new(&mut fixture.universe, Script::default());
    machine.write(STATE, &[fixture.i], &Formula::True, value(fixture.colours[2]));
    let read = machine.read(STATE, &[j]);
    assert_eq!(
        read,
        Value::If(same(fixture.i, j), Box::new(value(fixture.colours[2])), Box::new(Value::Term(state(j))))
    );
}

#[test]
fn the_last_write_wins() {
    let mut fixture = fixture();
    let mut machine = Run::new(&mut fixture.universe, Script::default());
    machine.write(FLAG, &[], &Formula::True, value(TRUE));
    machine.write(FLAG, &[], &Formula::True, value(FALSE));
    assert_eq!(machine.held(FLAG), value(FALSE));
}

/// `for j do if j = i then State[j] := S elsif State[j] = E then State[j] := I end end`.
#[test]
fn a_loop_that_writes_its_own_element_is_a_universal_update() {
    let mut fixture = fixture();
    let (i, colours) = (fixture.i, fixture.colours.clone());
    let mut machine = Run::new(&mut fixture.universe, Script::default());
    machine
        .for_each::<Reason>("j", NODE, &mut |m, j| {
            m.branch(
                &same(i, j),
                |m| {
                    m.write(STATE, &[j], &Formula::True, value(colours[1]));
                    Ok(())
                },
                |m| {
                    let own = m.read(STATE, &[j]);
                    let exclusive = m.equality(&own, &value(colours[2]));
                    m.branch(
                        &exclusive,
                        |m| {
                            m.write(STATE, &[j], &Formula::True, value(colours[0]));
                            Ok(())
                        },
                        |_| Ok(()),
                    )
                },
            )
        })
        .unwrap();
    let formal = IndexTerm::Variable(machine.formals(STATE)[0]);
    assert_eq!(
        machine.held(STATE),
        Value::If(
            same(i, formal),
            Box::new(value(colours[1])),
            Box::new(Value::If(
                is(formal, colours[2]),
                Box::new(value(colours[0])),
                Box::new(Value::Term(state(formal)))
            ))
        )
    );
    assert!(machine.script.clone().advance().is_none());
}

/// `for j do if State[j] = E then Pointer := j end end`: some such element, or none.
#[test]
fn a_loop_that_writes_a_scalar_chooses_an_element() {
    let mut fixture = fixture();
    let exclusive = fixture.colours[2];
    let mut script = Some(Script::default());
    let mut ends = Vec::new();
    while let Some(now) = script {
        let mut universe = fixture.universe.clone();
        let mut machine = Run::new(&mut universe, now);
        machine
            .for_each::<Reason>("j", NODE, &mut |m, j| {
                let own = m.read(STATE, &[j]);
                let found = m.equality(&own, &value(exclusive));
                m.branch(
                    &found,
                    |m| {
                        m.write(POINTER, &[], &Formula::True, Value::Term(Term::Index(j)));
                        Ok(())
                    },
                    |_| Ok(()),
                )
            })
            .unwrap();
        ends.push((machine.held(POINTER), machine.assumptions.clone()));
        script = machine.script.clone().advance();
    }
    assert_eq!(ends.len(), 2);
    let (Value::Term(Term::Index(witness)), assumed) = &ends[0] else {
        panic!("no witness: {:?}", ends[0]);
    };
    assert_eq!(assumed, &vec![is(*witness, exclusive)]);
    assert_eq!(ends[1].0, Value::Term(Term::Read(POINTER, vec![])));
    assert!(matches!(&ends[1].1[0], Formula::Forall(..)));
    fixture.universe.inhabited.clear();
}

/// `for j do if State[j] = E then State[i] := I end end` reads what another iteration writes.
#[test]
fn a_loop_whose_iterations_depend_on_each_other_is_refused() {
    let mut fixture = fixture();
    let (i, colours) = (fixture.i, fixture.colours.clone());
    let mut machine = Run::new(&mut fixture.universe, Script::default());
    let result = machine.for_each::<Reason>("j", NODE, &mut |m, j| {
        let own = m.read(STATE, &[j]);
        let found = m.equality(&own, &value(colours[2]));
        m.branch(
            &found,
            |m| {
                m.write(STATE, &[i], &Formula::True, value(colours[0]));
                Ok(())
            },
            |_| Ok(()),
        )
    });
    assert_eq!(result, Err(Reason::LoopCarried));
}

/// `Count := 0; for j do if State[j] = E then Count := Count + 1 end end` for `Count : 0..2`.
#[test]
fn a_count_has_a_case_for_each_number() {
    let mut fixture = fixture();
    let exclusive = fixture.colours[2];
    let numbers: Vec<ConstantId> = (0..3).map(|n| fixture.universe.integer(n)).collect();
    let mut script = Some(Script::default());
    let mut ends = Vec::new();
    while let Some(now) = script {
        let mut universe = fixture.universe.clone();
        let mut machine = Run::new(&mut universe, now);
        machine.write(COUNT, &[], &Formula::True, value(numbers[0]));
        let result = machine.for_each::<Reason>("j", NODE, &mut |m, j| {
            let own = m.read(STATE, &[j]);
            let found = m.equality(&own, &value(exclusive));
            m.branch(
                &found,
                |m| {
                    let count = m.read(COUNT, &[]);
                    let one = value(m.universe.integer(1));
                    let more = m.arithmetic(&count, &one, |a, b| a.checked_add(b))?;
                    let sort = m.sort_id(COUNT);
                    let more = m.fitted(&more, sort)?;
                    m.write(COUNT, &[], &Formula::True, more);
                    Ok(())
                },
                |_| Ok(()),
            )
        });
        result.unwrap();
        ends.push((machine.held(COUNT), machine.assumptions.len(), machine.errors.clone()));
        script = machine.script.clone().advance();
    }
    let good: Vec<_> = ends.iter().filter(|(_, _, errors)| errors.is_empty()).collect();
    assert_eq!(good.len(), 3, "{ends:#?}");
    for (number, (end, assumptions, _)) in good.iter().enumerate() {
        assert_eq!(*end, value(numbers[number]));
        // That number of witnesses, pairwise different, and no others.
        assert_eq!(*assumptions, number + number * number.saturating_sub(1) / 2 + 1);
    }
}

/// `if exists j do State[j] = E end then Flag := true else Flag := false end`.
#[test]
fn a_quantified_condition_makes_two_cases() {
    let fixture = fixture();
    let exclusive = fixture.colours[2];
    let mut script = Some(Script::default());
    let mut ends = Vec::new();
    while let Some(now) = script {
        let mut universe = fixture.universe.clone();
        let j = universe.index_variable("j", NODE, Role::Bound);
        let mut machine = Run::new(&mut universe, now);
        let question = Formula::Exists(j, Box::new(is(IndexTerm::Variable(j), exclusive)));
        let condition = machine.decided(&question).unwrap();
        let set = |truth: ConstantId| {
            move |m: &mut Run<'_>| {
                m.write(FLAG, &[], &Formula::True, value(truth));
                Ok::<(), Reason>(())
            }
        };
        machine.branch(&condition, set(TRUE), set(FALSE)).unwrap();
        ends.push(machine.held(FLAG));
        script = machine.script.clone().advance();
    }
    assert_eq!(ends, vec![value(TRUE), value(FALSE)]);
    let _ = Constant { name: String::new(), scalarset: None };
}
