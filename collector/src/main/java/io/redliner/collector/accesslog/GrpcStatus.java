// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPResponseProperties;

/**
 * The status of a gRPC call. It is in the trailers, or in the headers of an answer without a body; proxies report both only when
 * told so ({@code additional_response_trailers_to_log}, {@code additional_response_headers_to_log}).
 */
final class GrpcStatus {

    private static final String NAME = "grpc-status";

    private GrpcStatus() {}

    /** 0 to 16; below 0 when it is no gRPC call, or makes no sense. */
    static int of(HTTPResponseProperties response) {
        int status = -1;
        if (response.getResponseTrailersCount() > 0) {
            status = parse(response.getResponseTrailersOrDefault(NAME, ""));
        }
        if (status < 0 && response.getResponseHeadersCount() > 0) {
            status = parse(response.getResponseHeadersOrDefault(NAME, ""));
        }
        return status;
    }

    private static int parse(String text) {
        return switch (text.length()) {
            case 1 -> digit(text.charAt(0));
            case 2 -> text.charAt(0) == '1' && text.charAt(1) <= '6' && digit(text.charAt(1)) >= 0
                    ? 10 + digit(text.charAt(1))
                    : -1;
            default -> -1;
        };
    }

    private static int digit(char character) {
        return character >= '0' && character <= '9' ? character - '0' : -1;
    }
}
