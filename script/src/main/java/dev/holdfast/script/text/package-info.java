/// Contexts about words: tokens of an analysis, intervals of a query, and how terms are scored.
@NullMarked
package dev.holdfast.script.text;

import org.jspecify.annotations.NullMarked;
