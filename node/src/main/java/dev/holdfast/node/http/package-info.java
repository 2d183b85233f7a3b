/// HTTP as the APIs see it: requests and answers of our own, the table of routes, content
/// negotiation, compression, `filter_path`, errors rendered once, and the server that carries them.
/// Nothing outside this package sees the HTTP library.
@NullMarked
package dev.holdfast.node.http;

import org.jspecify.annotations.NullMarked;
