/// HTTP as the APIs see it: an [Api] takes an [ApiRequest] and returns an [Answer]; [Routes] is the
/// table that says which API serves which method and path.
///
/// An API is called on a virtual thread of its own and may block. It never touches a socket: its
/// answer is a status, headers, and something that writes JSON, which the server renders in the
/// format that the client asked for. What an API throws becomes an error in Elasticsearch's shape
/// ([ErrorBody]): a `Refusal` with its own type and status, anything else `500` and a line in the
/// log. Query parameters that the route does not name are refused before the API is called.
///
/// Nothing here knows the HTTP library, so that APIs are tested without a server and the library
/// can be replaced in [dev.holdfast.http.server] alone.
@NullMarked
package dev.holdfast.http;

import org.jspecify.annotations.NullMarked;
