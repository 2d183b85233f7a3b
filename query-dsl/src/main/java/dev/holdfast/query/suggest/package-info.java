/// Suggesters: other words and phrases for a text.
@NullMarked
package dev.holdfast.query.suggest;

import org.jspecify.annotations.NullMarked;
