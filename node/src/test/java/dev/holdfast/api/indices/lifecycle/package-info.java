/// What lifecycles of data streams say.
@NullMarked
package dev.holdfast.api.indices.lifecycle;

import org.jspecify.annotations.NullMarked;
