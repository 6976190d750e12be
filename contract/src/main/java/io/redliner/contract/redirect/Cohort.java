// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests that match every condition that is set here.
 *
 * @param name letters, digits, {@code -}, {@code _} and {@code .}; not {@code outside}, the name for requests that match no
 *             cohort
 * @param headers all of them
 * @param path absent: any
 * @param methods HTTP methods, any of them; empty: all
 */
public record Cohort(String name, List<HeaderMatch> headers, @Nullable PathMatch path, List<String> methods) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final String OUTSIDE = "outside";

    /** @throws IllegalArgumentException when it has no name, or restricts nothing */
    public Cohort {
        requireName(name);
        headers = List.copyOf(headers);
        methods = methods.stream().distinct().sorted().toList();
        methods.forEach(HttpSyntax::requireMethod);
        if (headers.isEmpty() && path == null && methods.isEmpty()) {
            throw new IllegalArgumentException(
                    "restricts nothing; set headers, methods, or one of path, pathPrefix and grpcMethod");
        }
    }

    /**
     * Returns the name if it is valid.
     *
     * @throws IllegalArgumentException when it is no name of a cohort
     */
    public static String requireName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(OUTSIDE)) {
            throw new IllegalArgumentException("is no name of a cohort; use 1 to 63 letters, digits, '-', '_' and '.', "
                    + "and not '" + OUTSIDE + "'");
        }
        return name;
    }

    /**
     * Returns the method if it is valid.
     *
     * @throws IllegalArgumentException when it is no HTTP method
     */
    public static String requireMethod(String method) {
        return HttpSyntax.requireMethod(method);
    }

    /** Returns true when one request may match both cohorts. */
    boolean overlaps(Cohort other) {
        boolean byPath = path != null && other.path != null && path.excludes(other.path);
        boolean byMethod = !methods.isEmpty() && !other.methods.isEmpty()
                && Collections.disjoint(methods, other.methods);
        boolean byHeader = headers.stream().anyMatch(header -> other.headers.stream().anyMatch(header::excludes));
        return !byPath && !byMethod && !byHeader;
    }
}
