// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import java.util.regex.Pattern;

/** The texts of HTTP requests that a plan may name. Messages begin in the middle: the text stands before them. */
final class HttpSyntax {

    /** A token of RFC 9110, section 5.6.2: names of headers and cookies, and methods. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}");

    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");

    private static final Pattern PATH = Pattern.compile("/[!-~&&[^?#]]{0,999}");

    private static final Pattern GRPC_METHOD = Pattern.compile("[A-Za-z0-9_.]{1,400}/[A-Za-z0-9_]{1,200}");

    private static final Pattern VALUE = Pattern.compile("[ -~]{1,1000}");

    private HttpSyntax() {}

    static void requireName(String name) {
        require(NAME, name, "is no name of a header, cookie or query parameter; use letters, digits, '-', '_' and '.'");
    }

    static String requireMethod(String method) {
        return require(METHOD, method, "is no HTTP method; write it as GET");
    }

    static void requirePath(String path) {
        require(PATH, path, "is no path; begin with '/', without '?', '#' and spaces");
    }

    static void requireGrpcMethod(String method) {
        require(GRPC_METHOD, method, "is no gRPC method; write it as package.Service/Method");
    }

    static void requireValue(String value) {
        require(VALUE, value, "is no value of a header; use 1 to 1000 printable ASCII characters");
    }

    private static String require(Pattern pattern, String text, String message) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(message);
        }
        return text;
    }
}
