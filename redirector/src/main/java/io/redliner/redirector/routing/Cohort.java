// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * A part of the requests: those that match all of these conditions.
 *
 * @param where the path, or empty for any
 * @param methods HTTP methods, any of them; empty for all
 */
public record Cohort(String name, List<HeaderMatch> headers, Optional<PathMatch> where, Set<String> methods) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}");

    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");

    private static final Pattern GRPC_METHOD = Pattern.compile("[A-Za-z0-9_.]+/[A-Za-z0-9_]+");

    /** The condition on a header. */
    public sealed interface HeaderMatch {

        /** The header's name. */
        String name();

        /** Exactly this value. */
        record Exact(String name, String value) implements HeaderMatch {}

        /**
         * A whole number.
         *
         * @param from included
         * @param to not included
         */
        record Range(String name, long from, long to) implements HeaderMatch {}

        /** A condition that this version does not know. */
        record Unknown(String name) implements HeaderMatch {}
    }

    /** The condition on the path. */
    public sealed interface PathMatch {

        /** Exactly this path, without the query. */
        record Whole(String path) implements PathMatch {}

        /** Paths with this prefix. */
        record Prefix(String prefix) implements PathMatch {}

        /** A gRPC method as {@code package.Service/Method}. */
        record Grpc(String method) implements PathMatch {}

        /** More than one of the other conditions was given. */
        record Ambiguous() implements PathMatch {}
    }

    public Cohort {
        headers = List.copyOf(headers);
        methods = Set.copyOf(methods);
    }

    /** The reason why these cohorts cannot be used together, or empty when they can. */
    static Optional<String> problem(List<Cohort> cohorts) {
        Set<String> names = new HashSet<>();
        for (Cohort cohort : cohorts) {
            Optional<String> own = cohort.problem();
            if (own.isPresent()) {
                return own.map(words -> "cohort '" + cohort.name() + "': " + words);
            }
            if (!names.add(cohort.name())) {
                return Optional.of("two cohorts are called '" + cohort.name() + "'");
            }
        }
        for (int i = 0; i < cohorts.size(); i++) {
            for (int j = i + 1; j < cohorts.size(); j++) {
                if (!cohorts.get(i).disjoint(cohorts.get(j))) {
                    return Optional.of("cohorts '" + cohorts.get(i).name() + "' and '" + cohorts.get(j).name()
                            + "' overlap: a request can match both; let them differ in a header, path or method");
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> problem() {
        if (!NAME.matcher(name).matches()) {
            return Optional.of("is no name: letters, digits and - _ . only, at most 63 characters");
        }
        if (headers.isEmpty() && where.isEmpty() && methods.isEmpty()) {
            return Optional.of("restricts nothing; leave it out");
        }
        for (HeaderMatch header : headers) {
            if (!HEADER.matcher(header.name()).matches()) {
                return Optional.of("'" + header.name() + "' is no name of a header");
            }
            if (header instanceof HeaderMatch.Unknown) {
                return Optional.of("what header " + header.name() + " has to be is not said, or not known here");
            }
            if (header instanceof HeaderMatch.Range range && range.from() >= range.to()) {
                return Optional.of("header " + header.name() + ": nothing is from " + range.from() + " to below "
                        + range.to());
            }
        }
        return methods.stream().filter(method -> !METHOD.matcher(method).matches()).findFirst()
                .map(method -> "'" + method + "' is no HTTP method").or(this::pathProblem);
    }

    private Optional<String> pathProblem() {
        return switch (where.orElse(new PathMatch.Whole("/"))) {
            case PathMatch.Whole whole -> whole.path().startsWith("/")
                    ? Optional.empty()
                    : Optional.of("path '" + whole.path() + "' does not begin with /");
            case PathMatch.Prefix prefix -> prefix.prefix().startsWith("/")
                    ? Optional.empty()
                    : Optional.of("path prefix '" + prefix.prefix() + "' does not begin with /");
            case PathMatch.Grpc grpc -> GRPC_METHOD.matcher(grpc.method()).matches()
                    ? Optional.empty()
                    : Optional.of("'" + grpc.method() + "' is no gRPC method like package.Service/Method");
            case PathMatch.Ambiguous ambiguous -> Optional.of("path, path prefix and gRPC method exclude each other");
        };
    }

    /** Returns whether no request can match both, because a header, path or method that both restrict has no common value. */
    boolean disjoint(Cohort other) {
        return pairs(headers, other.headers, Cohort::exclude)
                || (where.isPresent() && other.where.isPresent() && exclude(where.get(), other.where.get()))
                || (!methods.isEmpty() && !other.methods.isEmpty()
                        && Collections.disjoint(methods, other.methods));
    }

    private static boolean pairs(List<HeaderMatch> ours, List<HeaderMatch> theirs,
            BiPredicate<HeaderMatch, HeaderMatch> test) {
        return ours.stream().anyMatch(one -> theirs.stream().anyMatch(other -> test.test(one, other)));
    }

    private static boolean exclude(HeaderMatch one, HeaderMatch other) {
        if (!one.name().toLowerCase(Locale.ROOT).equals(other.name().toLowerCase(Locale.ROOT))) {
            return false;
        }
        if (one instanceof HeaderMatch.Exact exact && other instanceof HeaderMatch.Exact same) {
            return !exact.value().equals(same.value());
        }
        return one instanceof HeaderMatch.Range range && other instanceof HeaderMatch.Range next
                && (range.to() <= next.from() || next.to() <= range.from());
    }

    private static boolean exclude(PathMatch one, PathMatch other) {
        if (one instanceof PathMatch.Prefix prefix && other instanceof PathMatch.Prefix next) {
            return !prefix.prefix().startsWith(next.prefix()) && !next.prefix().startsWith(prefix.prefix());
        }
        if (one instanceof PathMatch.Prefix prefix) {
            return !path(other).startsWith(prefix.prefix());
        }
        return other instanceof PathMatch.Prefix prefix
                ? !path(one).startsWith(prefix.prefix())
                : !path(one).equals(path(other));
    }

    private static String path(PathMatch match) {
        return switch (match) {
            case PathMatch.Whole whole -> whole.path();
            case PathMatch.Prefix prefix -> prefix.prefix();
            case PathMatch.Grpc grpc -> "/" + grpc.method();
            case PathMatch.Ambiguous ambiguous -> "";
        };
    }
}
