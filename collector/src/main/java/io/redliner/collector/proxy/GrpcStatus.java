// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.proxy;

import io.envoyproxy.envoy.data.accesslog.v3.HTTPResponseProperties;
import io.redliner.collector.window.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * The status of a gRPC call. It is in the trailers, or in the headers of an answer without a body; proxies report both only when
 * told so ({@code additional_response_trailers_to_log}, {@code additional_response_headers_to_log}).
 */
final class GrpcStatus {

    private static final String NAME = "grpc-status";

    private static final int UNKNOWN = 2;

    private static final int DEADLINE_EXCEEDED = 4;

    private static final int RESOURCE_EXHAUSTED = 8;

    private static final int UNIMPLEMENTED = 12;

    private static final int INTERNAL = 13;

    private static final int UNAVAILABLE = 14;

    private static final int DATA_LOSS = 15;

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

    /**
     * The failures of a server as OpenTelemetry's semantic conventions for gRPC have them, and RESOURCE_EXHAUSTED: who looks
     * for the capacity wants to know of a server that sheds load.
     */
    static @Nullable ErrorClass error(int status) {
        return switch (status) {
            case DEADLINE_EXCEEDED -> ErrorClass.TIMEOUT;
            case UNKNOWN, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS -> ErrorClass.SERVER;
            default -> null;
        };
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
