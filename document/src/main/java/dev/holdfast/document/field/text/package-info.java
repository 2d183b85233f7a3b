/// Analysed text, its tokens counted, and completions.
@NullMarked
package dev.holdfast.document.field.text;

import org.jspecify.annotations.NullMarked;
