// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import io.redliner.contract.v1.Attribute;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.IntegerRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes redirects into leases, and reads them. */
public final class RedirectCodec {

    private RedirectCodec() {}

    /** Writes a redirect. */
    public static io.redliner.contract.v1.Redirect write(Redirect redirect) {
        io.redliner.contract.v1.Redirect.Builder message = io.redliner.contract.v1.Redirect.newBuilder()
                .setMode(switch (redirect.mode()) {
                    case SPLIT -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_SPLIT;
                    case ENDPOINT_WEIGHT -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_ENDPOINT_WEIGHT;
                    case MODULO -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_MODULO;
                    case HASH -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_HASH;
                });
        RoutingAttribute attribute = redirect.attribute();
        if (attribute != null) {
            message.setAttribute(Attribute.newBuilder()
                    .setSource(switch (attribute.source()) {
                        case HEADER -> AttributeSource.ATTRIBUTE_SOURCE_HEADER;
                        case COOKIE -> AttributeSource.ATTRIBUTE_SOURCE_COOKIE;
                        case QUERY -> AttributeSource.ATTRIBUTE_SOURCE_QUERY;
                    })
                    .setName(attribute.name()));
        }
        Integer modulus = redirect.modulus();
        if (modulus != null) {
            message.setModulus(modulus);
        }
        redirect.cohorts().forEach(cohort -> message.addCohorts(cohort(cohort)));
        return message.build();
    }

    private static io.redliner.contract.v1.Cohort cohort(Cohort cohort) {
        io.redliner.contract.v1.Cohort.Builder message = io.redliner.contract.v1.Cohort.newBuilder()
                .setName(cohort.name())
                .addAllMethods(cohort.methods());
        cohort.headers().forEach(header -> message.addHeaders(header(header)));
        PathMatch path = cohort.path();
        if (path != null) {
            switch (path.kind()) {
                case WHOLE -> message.setPath(path.value());
                case PREFIX -> message.setPathPrefix(path.value());
                case GRPC_METHOD -> message.setGrpcMethod(path.value());
            }
        }
        return message.build();
    }

    private static io.redliner.contract.v1.HeaderMatch.Builder header(HeaderMatch header) {
        io.redliner.contract.v1.HeaderMatch.Builder message = io.redliner.contract.v1.HeaderMatch.newBuilder()
                .setName(header.name());
        String exact = header.exact();
        Long from = header.from();
        Long to = header.to();
        if (exact != null) {
            message.setExact(exact);
        } else if (from != null && to != null) {
            message.setRange(IntegerRange.newBuilder().setFrom(from).setTo(to));
        }
        return message;
    }

    /**
     * Reads a redirect.
     *
     * @throws IllegalArgumentException when it cannot be obeyed, or when this version does not know all of it; the message says
     *         why
     */
    public static Redirect read(io.redliner.contract.v1.Redirect redirect) {
        requireFew("cohorts", redirect.getCohortsCount());
        RedirectMode mode = switch (redirect.getMode()) {
            case REDIRECT_MODE_UNSPECIFIED, REDIRECT_MODE_SPLIT -> RedirectMode.SPLIT;
            case REDIRECT_MODE_ENDPOINT_WEIGHT -> RedirectMode.ENDPOINT_WEIGHT;
            case REDIRECT_MODE_MODULO -> RedirectMode.MODULO;
            case REDIRECT_MODE_HASH -> RedirectMode.HASH;
            case UNRECOGNIZED -> throw unknown("redirect mode " + redirect.getModeValue());
        };
        List<Cohort> cohorts = new ArrayList<>();
        for (io.redliner.contract.v1.Cohort cohort : redirect.getCohortsList()) {
            try {
                cohorts.add(cohort(cohort));
            } catch (IllegalArgumentException fault) {
                throw new IllegalArgumentException("cohort '" + cohort.getName() + "' " + fault.getMessage(), fault);
            }
        }
        return new Redirect(mode, redirect.hasAttribute() ? attribute(redirect.getAttribute()) : null,
                redirect.getModulus() == 0 ? null : redirect.getModulus(), cohorts);
    }

    private static RoutingAttribute attribute(Attribute attribute) {
        RoutingAttribute.Source source = switch (attribute.getSource()) {
            case ATTRIBUTE_SOURCE_HEADER -> RoutingAttribute.Source.HEADER;
            case ATTRIBUTE_SOURCE_COOKIE -> RoutingAttribute.Source.COOKIE;
            case ATTRIBUTE_SOURCE_QUERY -> RoutingAttribute.Source.QUERY;
            case ATTRIBUTE_SOURCE_UNSPECIFIED, UNRECOGNIZED ->
                throw unknown("source of an attribute " + attribute.getSourceValue());
        };
        try {
            return new RoutingAttribute(source, attribute.getName());
        } catch (IllegalArgumentException fault) {
            throw new IllegalArgumentException("'" + attribute.getName() + "' " + fault.getMessage(), fault);
        }
    }

    private static Cohort cohort(io.redliner.contract.v1.Cohort cohort) {
        requireFew("headers of a cohort", cohort.getHeadersCount());
        requireFew("methods of a cohort", cohort.getMethodsCount());
        List<HeaderMatch> headers = cohort.getHeadersList().stream().map(RedirectCodec::header).toList();
        return new Cohort(cohort.getName(), headers, path(cohort), cohort.getMethodsList());
    }

    private static HeaderMatch header(io.redliner.contract.v1.HeaderMatch header) {
        return switch (header.getMatchCase()) {
            case EXACT -> HeaderMatch.exactly(header.getName(), header.getExact());
            case RANGE ->
                HeaderMatch.between(header.getName(), header.getRange().getFrom(), header.getRange().getTo());
            case MATCH_NOT_SET -> throw unknown("match of the header " + header.getName());
        };
    }

    private static @Nullable PathMatch path(io.redliner.contract.v1.Cohort cohort) {
        List<PathMatch> given = new ArrayList<>();
        if (!cohort.getPath().isEmpty()) {
            given.add(new PathMatch(PathMatch.Kind.WHOLE, cohort.getPath()));
        }
        if (!cohort.getPathPrefix().isEmpty()) {
            given.add(new PathMatch(PathMatch.Kind.PREFIX, cohort.getPathPrefix()));
        }
        if (!cohort.getGrpcMethod().isEmpty()) {
            given.add(new PathMatch(PathMatch.Kind.GRPC_METHOD, cohort.getGrpcMethod()));
        }
        if (given.size() > 1) {
            throw new IllegalArgumentException("has more than one of path, path prefix and gRPC method");
        }
        return given.isEmpty() ? null : given.getFirst();
    }

    private static void requireFew(String field, int count) {
        if (count > Redirect.MAX_MATCHES) {
            throw new IllegalArgumentException(count + " " + field + ", more than " + Redirect.MAX_MATCHES);
        }
    }

    private static IllegalArgumentException unknown(String field) {
        return new IllegalArgumentException(
                "the " + field + " is not known here; upgrade the redirectors before the controllers");
    }
}
