// Texts of errors that a caller's function threw.

/** Returns the text of the value that `read` returns. An error of the caller can throw when it is converted. */
export function textOf(read) {
  try {
    return String(read());
  } catch {
    return 'an error without a text';
  }
}
