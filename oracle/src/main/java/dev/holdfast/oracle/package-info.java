/// Asks Holdfast and a peer the same questions and compares what they say (`Oracle`), and asks
/// Holdfast broken ones (`Fuzz`). Requests are drawn from grammars, one resource file a family.
@NullMarked
package dev.holdfast.oracle;

import org.jspecify.annotations.NullMarked;
