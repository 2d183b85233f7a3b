/// How questions and answers of a search travel: hits, partial aggregations, suggestions, sort
/// values. Golden bytes keep them; new members go last and have defaults.
@NullMarked
package dev.holdfast.search.call;

import org.jspecify.annotations.NullMarked;
