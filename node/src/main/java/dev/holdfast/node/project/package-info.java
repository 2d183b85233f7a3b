/// Projects in this process: each has rooms of its own over its part of the store, which share the
/// process's port, heap and network. Who asks for which is told by a header or by the host's name.
@NullMarked
package dev.holdfast.node.project;

import org.jspecify.annotations.NullMarked;
