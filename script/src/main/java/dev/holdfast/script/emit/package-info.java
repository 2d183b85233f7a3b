/// Contexts whose scripts give the values of a field, by `emit`: runtime fields, and mapped fields
/// with a `script`. For each kind of field the class that its scripts extend.
@NullMarked
package dev.holdfast.script.emit;

import org.jspecify.annotations.NullMarked;
