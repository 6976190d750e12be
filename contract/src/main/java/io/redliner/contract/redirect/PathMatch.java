// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

/**
 * A condition on the path of a request.
 *
 * @param value a path, or a gRPC method as {@code package.Service/Method}
 */
public record PathMatch(Kind kind, String value) {

    /** Comparisons of the value with the path. */
    public enum Kind {

        /** The value is the whole path. */
        WHOLE,
        /** The path begins with the value. */
        PREFIX,
        /** The path is that of the gRPC method in the value. */
        GRPC_METHOD
    }

    /** @throws IllegalArgumentException when the value is no path, or no gRPC method */
    public PathMatch {
        switch (kind) {
            case WHOLE, PREFIX -> HttpSyntax.requirePath(value);
            case GRPC_METHOD -> HttpSyntax.requireGrpcMethod(value);
        }
    }

    /** Returns true when no path satisfies both. A gRPC method excludes only other gRPC methods. */
    boolean excludes(PathMatch other) {
        if (kind == Kind.GRPC_METHOD || other.kind == Kind.GRPC_METHOD) {
            return kind == other.kind && !value.equals(other.value);
        }
        if (kind == Kind.WHOLE && other.kind == Kind.WHOLE) {
            return !value.equals(other.value);
        }
        boolean within = kind == Kind.PREFIX && other.value.startsWith(value);
        boolean around = other.kind == Kind.PREFIX && value.startsWith(other.value);
        return !within && !around;
    }
}
