/// Whether the objects of a store are what was written: `holdfast store check`, and the scrub of a
/// running node.
@NullMarked
package dev.holdfast.node.check;

import org.jspecify.annotations.NullMarked;
