/// Nodes that are started and stopped by others.
@NullMarked
package dev.holdfast.provision;

import org.jspecify.annotations.NullMarked;
