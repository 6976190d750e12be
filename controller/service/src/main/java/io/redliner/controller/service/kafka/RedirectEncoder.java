// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kafka;

import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.IntegerRange;
import io.redliner.controller.plan.Cohort;
import io.redliner.controller.plan.HeaderMatch;
import io.redliner.controller.plan.PathMatch;
import io.redliner.controller.plan.Redirect;
import io.redliner.controller.plan.RedirectMode;
import io.redliner.controller.plan.RoutingAttribute;

/** Writes which traffic a lease speaks of. */
final class RedirectEncoder {

    private RedirectEncoder() {}

    static io.redliner.contract.v1.Redirect write(Redirect redirect) {
        io.redliner.contract.v1.Redirect.Builder message = io.redliner.contract.v1.Redirect.newBuilder()
                .setMode(mode(redirect.mode()));
        RoutingAttribute attribute = redirect.attribute();
        if (attribute != null) {
            message.setAttribute(io.redliner.contract.v1.Attribute.newBuilder()
                    .setSource(source(attribute.source()))
                    .setName(attribute.name()));
        }
        Integer modulus = redirect.modulus();
        if (modulus != null) {
            message.setModulus(modulus);
        }
        redirect.cohorts().forEach(cohort -> message.addCohorts(cohort(cohort)));
        return message.build();
    }

    private static io.redliner.contract.v1.Cohort.Builder cohort(Cohort cohort) {
        io.redliner.contract.v1.Cohort.Builder message = io.redliner.contract.v1.Cohort.newBuilder()
                .setName(cohort.name())
                .addAllMethods(cohort.methods());
        cohort.headers().forEach(header -> message.addHeaders(header(header)));
        PathMatch path = cohort.path();
        if (path == null) {
            return message;
        }
        return switch (path.kind()) {
            case WHOLE -> message.setPath(path.value());
            case PREFIX -> message.setPathPrefix(path.value());
            case GRPC_METHOD -> message.setGrpcMethod(path.value());
        };
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

    private static io.redliner.contract.v1.RedirectMode mode(RedirectMode mode) {
        return switch (mode) {
            case SPLIT -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_SPLIT;
            case ENDPOINT_WEIGHT -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_ENDPOINT_WEIGHT;
            case MODULO -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_MODULO;
            case HASH -> io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_HASH;
        };
    }

    private static AttributeSource source(RoutingAttribute.Source source) {
        return switch (source) {
            case HEADER -> AttributeSource.ATTRIBUTE_SOURCE_HEADER;
            case COOKIE -> AttributeSource.ATTRIBUTE_SOURCE_COOKIE;
            case QUERY -> AttributeSource.ATTRIBUTE_SOURCE_QUERY;
        };
    }
}
