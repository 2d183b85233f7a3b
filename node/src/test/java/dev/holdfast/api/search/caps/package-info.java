/// Async searches as their clients read them.
@NullMarked
package dev.holdfast.api.search.caps;

import org.jspecify.annotations.NullMarked;
