// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.Int64Range;
import io.redliner.redirector.routing.Cohort;
import io.redliner.redirector.routing.Redirect;
import io.redliner.redirector.routing.Redirect.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Builds the matches of routes. */
final class RouteMatches {

    /** Matches numbers that Envoy reads as unsigned 64-bit integers without overflow. */
    private static final String INTEGER = "[0-9]{1,19}";

    private RouteMatches() {}

    static RouteMatch.Builder cohort(Cohort cohort) {
        RouteMatch.Builder match = RouteMatch.newBuilder().setPrefix("/");
        cohort.where().ifPresent(where -> {
            switch (where) {
                case Cohort.PathMatch.Whole whole -> match.setPath(whole.path());
                case Cohort.PathMatch.Prefix prefix -> match.setPrefix(prefix.prefix());
                case Cohort.PathMatch.Grpc grpc -> match.setPath("/" + grpc.method())
                        .setGrpc(RouteMatch.GrpcRouteMatchOptions.getDefaultInstance());
                case Cohort.PathMatch.Ambiguous ambiguous ->
                    throw new IllegalArgumentException("an ambiguous cohort was not refused");
            }
        });
        if (!cohort.methods().isEmpty()) {
            match.addHeaders(methods(cohort.methods()));
        }
        cohort.headers().forEach(header -> match.addHeaders(header(header)));
        return match;
    }

    private static HeaderMatcher methods(Set<String> methods) {
        return regex(":method", String.join("|", new TreeSet<>(methods)));
    }

    private static HeaderMatcher header(Cohort.HeaderMatch header) {
        HeaderMatcher.Builder matcher = HeaderMatcher.newBuilder().setName(header.name());
        switch (header) {
            case Cohort.HeaderMatch.Exact exact ->
                matcher.setStringMatch(StringMatcher.newBuilder().setExact(exact.value()));
            case Cohort.HeaderMatch.Range range ->
                matcher.setRangeMatch(Int64Range.newBuilder().setStart(range.from()).setEnd(range.to()));
            case Cohort.HeaderMatch.Unknown unknown ->
                throw new IllegalArgumentException("an unknown header match was not refused");
        }
        return matcher.build();
    }

    /** Restricts the match to requests whose attribute can be used. Envoy would send the others to any cluster. */
    static void require(RouteMatch.Builder match, Redirect.Mode mode, Attribute attribute) {
        switch (attribute.source()) {
            case HEADER -> match.addHeaders(mode == Redirect.Mode.MODULO
                    ? regex(attribute.name(), INTEGER)
                    : HeaderMatcher.newBuilder().setName(attribute.name()).setPresentMatch(true).build());
            case COOKIE -> match.addHeaders(regex("cookie", "(?:.*;)?\\s*\\Q" + attribute.name() + "\\E=[^;]+.*"));
            case QUERY -> match.addQueryParameters(
                    QueryParameterMatcher.newBuilder().setName(attribute.name()).setPresentMatch(true));
            case UNKNOWN -> throw new IllegalArgumentException("an unknown attribute was not refused");
        }
    }

    /**
     * The long streams among the requests of a route: WebSockets, server-sent events, and requests to the service's paths of
     * streams.
     *
     * @param prefixes of those paths
     */
    static List<RouteMatch> streams(RouteMatch match, List<String> prefixes) {
        List<RouteMatch> streams = new ArrayList<>();
        streams.add(match.toBuilder()
                .addHeaders(HeaderMatcher.newBuilder().setName("upgrade").setPresentMatch(true)).build());
        streams.add(match.toBuilder().addHeaders(HeaderMatcher.newBuilder().setName("accept")
                .setStringMatch(StringMatcher.newBuilder().setExact("text/event-stream"))).build());
        String path = match.hasPath() ? match.getPath() : match.getPrefix();
        for (String prefix : prefixes) {
            if (path.startsWith(prefix)) {
                streams.add(match);
            } else if (!match.hasPath() && prefix.startsWith(path)) {
                streams.add(match.toBuilder().setPrefix(prefix).build());
            }
        }
        return streams;
    }

    private static HeaderMatcher regex(String header, String regex) {
        return HeaderMatcher.newBuilder()
                .setName(header)
                .setStringMatch(StringMatcher.newBuilder().setSafeRegex(RegexMatcher.newBuilder().setRegex(regex)))
                .build();
    }

    static RouteAction.HashPolicy hash(Attribute attribute) {
        RouteAction.HashPolicy.Builder policy = RouteAction.HashPolicy.newBuilder();
        switch (attribute.source()) {
            case HEADER -> policy.setHeader(
                    RouteAction.HashPolicy.Header.newBuilder().setHeaderName(attribute.name()));
            case COOKIE -> policy.setCookie(RouteAction.HashPolicy.Cookie.newBuilder().setName(attribute.name()));
            case QUERY -> policy.setQueryParameter(
                    RouteAction.HashPolicy.QueryParameter.newBuilder().setName(attribute.name()));
            case UNKNOWN -> throw new IllegalArgumentException("an unknown attribute was not refused");
        }
        return policy.build();
    }
}
