/// The process (§3): the command line, and the wiring of all rooms into a running [Node]. It knows
/// every package and is known by none.
///
/// A node is started in the order in which its parts need each other and closed in reverse; what
/// was opened before a failure is closed. The port is bound first, the APIs are opened last. What
/// ends a node from within (it lost its membership) is told to the caller once.
@NullMarked
package dev.holdfast.node;

import org.jspecify.annotations.NullMarked;
