/// Work on indices that lifecycles begin and do not wait for.
@NullMarked
package dev.holdfast.api.background;

import org.jspecify.annotations.NullMarked;
