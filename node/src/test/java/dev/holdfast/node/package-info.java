/// Tests of whole nodes.
@NullMarked
package dev.holdfast.node;

import org.jspecify.annotations.NullMarked;
