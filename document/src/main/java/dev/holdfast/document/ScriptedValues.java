package dev.holdfast.document;

import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.type.Shape;
import org.jspecify.annotations.Nullable;

/// The script that makes the values of a field.
///
/// @param shape what it is compiled as: one that emits, or the value of an aggregation
/// @param member which of the fields of a `composite` these values are; null for a field of its own
/// @param field whose values the script is given one by one; null when it reads what it likes
/// @param continuesOnError whether documents that it fails on just have no values
public record ScriptedValues(
    ScriptSource script,
    Shape shape,
    @Nullable String member,
    @Nullable String field,
    boolean continuesOnError) {}
