/// Dates in milliseconds and nanoseconds since 1970, read and shown by formats.
@NullMarked
package dev.holdfast.document.field.date;

import org.jspecify.annotations.NullMarked;
