/// From the text of a script to a tree. Pure and stateless; what is no script is a [SyntaxFault]
/// with its offset.
@NullMarked
package dev.holdfast.script.parse;

import org.jspecify.annotations.NullMarked;
