/// Which indices a request means: names, aliases, wildcards, exclusions and date math
/// ([IndexExpression]), rules of names, and the blocks that forbid a request. Pure functions of a
/// cluster state.
@NullMarked
package dev.holdfast.api.indices.resolve;

import org.jspecify.annotations.NullMarked;
