/// What scripts may name: the allow-list of classes and their members, read once from tables.
/// Immutable after that.
@NullMarked
package dev.holdfast.script.type;

import org.jspecify.annotations.NullMarked;
