// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.Int64Range;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Builds the matches of routes. */
final class RouteMatches {

    /** Matches numbers that Envoy reads as unsigned 64-bit integers without overflow. */
    private static final String INTEGER = "[0-9]{1,19}";

    private RouteMatches() {}

    static RouteMatch.Builder cohort(Cohort cohort) {
        RouteMatch.Builder match = RouteMatch.newBuilder().setPrefix("/");
        PathMatch path = cohort.path();
        if (path != null) {
            switch (path.kind()) {
                case WHOLE -> match.setPath(path.value());
                case PREFIX -> match.setPrefix(path.value());
                case GRPC_METHOD -> match.setPath("/" + path.value())
                        .setGrpc(RouteMatch.GrpcRouteMatchOptions.getDefaultInstance());
            }
        }
        if (!cohort.methods().isEmpty()) {
            match.addHeaders(regex(":method", String.join("|", cohort.methods())));
        }
        cohort.headers().forEach(header -> match.addHeaders(header(header)));
        return match;
    }

    private static HeaderMatcher header(HeaderMatch header) {
        HeaderMatcher.Builder matcher = HeaderMatcher.newBuilder().setName(header.name());
        String exact = header.exact();
        return exact == null
                ? matcher.setRangeMatch(Int64Range.newBuilder().setStart(Objects.requireNonNull(header.from()))
                        .setEnd(Objects.requireNonNull(header.to()))).build()
                : matcher.setStringMatch(StringMatcher.newBuilder().setExact(exact)).build();
    }

    /** Restricts the match to requests whose attribute can be used. Envoy would send the others to any cluster. */
    static void require(RouteMatch.Builder match, RedirectMode mode, RoutingAttribute attribute) {
        switch (attribute.source()) {
            case HEADER -> match.addHeaders(mode == RedirectMode.MODULO
                    ? regex(attribute.name(), INTEGER)
                    : HeaderMatcher.newBuilder().setName(attribute.name()).setPresentMatch(true).build());
            case COOKIE -> match.addHeaders(regex("cookie", "(?:.*;)?\\s*\\Q" + attribute.name() + "\\E=[^;]+.*"));
            case QUERY -> match.addQueryParameters(
                    QueryParameterMatcher.newBuilder().setName(attribute.name()).setPresentMatch(true));
        }
    }

    /**
     * Returns the long streams among the requests of a route: WebSockets, server-sent events, and requests to the service's paths
     * of streams.
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

    static RouteAction.HashPolicy hash(RoutingAttribute attribute) {
        RouteAction.HashPolicy.Builder policy = RouteAction.HashPolicy.newBuilder();
        switch (attribute.source()) {
            case HEADER -> policy.setHeader(
                    RouteAction.HashPolicy.Header.newBuilder().setHeaderName(attribute.name()));
            case COOKIE -> policy.setCookie(RouteAction.HashPolicy.Cookie.newBuilder().setName(attribute.name()));
            case QUERY -> policy.setQueryParameter(
                    RouteAction.HashPolicy.QueryParameter.newBuilder().setName(attribute.name()));
        }
        return policy.build();
    }
}
