/// Tests of the package of the same name.
@NullMarked
package dev.holdfast.node.api.index;

import org.jspecify.annotations.NullMarked;
