/// The language `expression`: arithmetic over numbers of documents. Texts are made Painless, so
/// that every context that gives a number or a yes takes both.
@NullMarked
package dev.holdfast.script.expression;

import org.jspecify.annotations.NullMarked;
