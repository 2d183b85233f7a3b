/// The HTTP server (Armeria): sockets, bodies, content negotiation, compression, `filter_path`, and
/// the rendering of what the APIs answer.
///
/// A request goes through the handler (event loop: it collects the body and must not block), the
/// dispatcher (virtual thread: finds the route, checks parameters, calls the API) and the rendering
/// (same thread; long answers are streamed). The limits are named in [HttpLimits]; the bytes of all
/// bodies that are being read or worked on are bounded by [RequestBytes], beyond which requests are
/// refused with `429 circuit_breaking_exception` before their bytes are kept. What is reserved for
/// a request is given back exactly once, whichever way it ends.
///
/// Before [HttpServer#open] every request is answered `503`: the port is bound first, so that a
/// node that cannot serve does not join a cluster.
///
/// No other package sees the HTTP library, except [dev.holdfast.rpc], which shares the port.
@NullMarked
package dev.holdfast.http.server;

import org.jspecify.annotations.NullMarked;
