/// Asks Holdfast and a reference server the same questions and compares what they say (`Oracle`),
/// and asks Holdfast broken ones (`Fuzz`). Requests are drawn from grammars, one resource file a
/// family, by a seed: the same seed asks the same. What differs and may is in `Accepted`, with the
/// reason.
@NullMarked
package dev.holdfast.oracle;

import org.jspecify.annotations.NullMarked;
