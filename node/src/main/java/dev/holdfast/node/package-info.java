/// The process (§3): command line, settings, HTTP and one file an API; the only room that sees all
/// rooms and wires them.
@NullMarked
package dev.holdfast.node;

import org.jspecify.annotations.NullMarked;
