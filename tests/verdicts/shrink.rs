//! Finds smaller models with the same fault.

use super::judge::{Setting, program};

/// Removes lines as long as the text remains a program and `wrong` says that the fault is still there, with at most
/// `questions` calls.
pub(crate) fn shrink(text: &str, own: &Setting, mut questions: usize, wrong: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut from = 0;
        let mut smaller = false;
        while from < lines.len() && questions > 0 {
            for chosen in windows(&lines, from, size) {
                let text = format!("{}\n", chosen.join("\n"));
                // A text that is not a program costs little.
                if program(&text, own).is_some() {
                    questions = questions.saturating_sub(1);
                    if wrong(&text) {
                        lines = chosen;
                        smaller = true;
                        break;
                    }
                }
            }
            from += 1;
        }
        if !smaller || size > 1 {
            size /= 2;
        }
    }
    format!("{}\n", lines.join("\n"))
}

/// Returns the lines with some of them removed; also with only the lines removed that open and close a block.
fn windows(lines: &[String], from: usize, size: usize) -> Vec<Vec<String>> {
    let to = (from + size).min(lines.len());
    let without = |gone: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..lines.len()).filter(|at| !gone(*at)).map(|at| lines[at].clone()).collect()
    };
    let mut texts = vec![without(&|at| (from..to).contains(&at))];
    if size == 1 {
        let ends = lines.iter().enumerate().skip(from + 1).take(11).filter(|(_, line)| *line == "end;");
        texts.extend(ends.map(|(close, _)| without(&|at| at == from || at == close)));
    }
    texts
}
