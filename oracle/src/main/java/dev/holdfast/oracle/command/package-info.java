/// What the tools of this module have in common on the command line.
@NullMarked
package dev.holdfast.oracle.command;

import org.jspecify.annotations.NullMarked;
