/// APIs that create, change, inspect and delete indices, one file an API.
@NullMarked
package dev.holdfast.node.api.index;

import org.jspecify.annotations.NullMarked;
