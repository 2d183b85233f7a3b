/// Parts of analysers that take a regular expression. They do what those of Lucene do, on texts
/// that an expression cannot look at without end ([dev.holdfast.world.text.BoundedText]): Lucene's
/// hand the text to the expression itself, and one that backtracks never comes back. Expressions
/// that become automata do not backtrack, and are measured before they do.
@NullMarked
package dev.holdfast.document.analysis.pattern;

import org.jspecify.annotations.NullMarked;
