//! Components with an additional inner component, which is appended to a complete component and
//! instantiated with it.

use anyhow::Context;

/// Adds the component `inner` to `outer`. An instance of `outer` also creates an instance of
/// `inner`.
///
/// # Errors
/// Returns an error if `inner` is not the text of a component, or if `outer` is not a component.
pub fn with(outer: &[u8], inner: &str) -> anyhow::Result<Vec<u8>> {
    let inner = wat::parse_str(inner)?;
    let index = components(outer).context("not a component")?;
    let instance = [&[1, 0][..], &leb(index), &[0]].concat();
    let section = |id: u8, body: &[u8]| [&[id][..], &leb(body.len()), body].concat();
    Ok([outer, &section(COMPONENT, &inner), &section(INSTANCE, &instance)].concat())
}

const COMPONENT: u8 = 4;
const INSTANCE: u8 = 5;

/// Counts the components within a component.
fn components(component: &[u8]) -> Option<usize> {
    let mut rest = component.get(8..)?;
    let mut count = 0_usize;
    while let Some((id, behind)) = rest.split_first() {
        let mut size = 0_usize;
        let mut length = 0_usize;
        for (index, byte) in behind.iter().take(5).enumerate() {
            size |= usize::from(byte & 0x7f) << (7 * index);
            length = index.saturating_add(1);
            if byte & 0x80 == 0 {
                break;
            }
        }
        rest = behind.get(length.checked_add(size)?..)?;
        count = count.saturating_add(usize::from(*id == COMPONENT));
    }
    Some(count)
}

fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = u8::try_from(number & 0x7f).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            bytes.push(byte);
            return bytes;
        }
        bytes.push(byte | 0x80);
    }
}
