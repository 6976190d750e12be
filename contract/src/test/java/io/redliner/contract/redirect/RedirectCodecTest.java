// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.contract.v1.Attribute;
import io.redliner.contract.v1.AttributeSource;
import io.redliner.contract.v1.HeaderMatch;
import io.redliner.contract.v1.IntegerRange;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedirectCodecTest {

    private static final RoutingAttribute USER = new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id");

    private static io.redliner.contract.v1.Redirect.Builder message(
            io.redliner.contract.v1.Cohort.Builder... cohorts) {
        io.redliner.contract.v1.Redirect.Builder message = io.redliner.contract.v1.Redirect.newBuilder();
        for (io.redliner.contract.v1.Cohort.Builder cohort : cohorts) {
            message.addCohorts(cohort);
        }
        return message;
    }

    private static io.redliner.contract.v1.Cohort.Builder named(String name) {
        return io.redliner.contract.v1.Cohort.newBuilder().setName(name);
    }

    private static HeaderMatch.Builder header(String name, String value) {
        return HeaderMatch.newBuilder().setName(name).setExact(value);
    }

    private static HeaderMatch.Builder range(long from, long to) {
        return HeaderMatch.newBuilder().setName("x-created")
                .setRange(IntegerRange.newBuilder().setFrom(from).setTo(to));
    }

    private static void assertRefused(io.redliner.contract.v1.Redirect.Builder message, String why) {
        assertThatThrownBy(() -> RedirectCodec.read(message.build())).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }

    private static void assertRead(io.redliner.contract.v1.Redirect.Builder message) {
        io.redliner.contract.v1.Redirect named = message.build();
        assertThat(RedirectCodec.write(RedirectCodec.read(named)))
                .isEqualTo(named.toBuilder().setModeValue(Math.max(1, named.getModeValue())).build());
    }

    @ParameterizedTest
    @EnumSource
    void a_redirect_is_read_as_it_was_written(RedirectMode mode) {
        List<Cohort> cohorts = List.of(
                new Cohort("germans",
                        List.of(io.redliner.contract.redirect.HeaderMatch.exactly("X-Country", "de"),
                                io.redliner.contract.redirect.HeaderMatch.between("since", 1, 9)),
                        new PathMatch(PathMatch.Kind.PREFIX, "/shop"), List.of("POST", "GET")),
                new Cohort("whole", List.of(), new PathMatch(PathMatch.Kind.WHOLE, "/cart"), List.of("GET")),
                new Cohort("grpc", List.of(io.redliner.contract.redirect.HeaderMatch.exactly("x-country", "fr")),
                        new PathMatch(PathMatch.Kind.GRPC_METHOD, "shop.Cart/Add"), List.of("PUT")));
        Redirect redirect = new Redirect(mode, mode.sticky() ? USER : null, mode == RedirectMode.MODULO ? 100 : null,
                cohorts);

        assertThat(RedirectCodec.read(RedirectCodec.write(redirect))).isEqualTo(redirect);
        assertThat(RedirectCodec.write(redirect).getMode().name()).isEqualTo("REDIRECT_MODE_" + mode);
    }

    @ParameterizedTest
    @EnumSource
    void an_attribute_is_read_as_it_was_written(RoutingAttribute.Source source) {
        Redirect redirect = new Redirect(RedirectMode.HASH, new RoutingAttribute(source, "Id"), null, List.of());

        assertThat(RedirectCodec.read(RedirectCodec.write(redirect))).isEqualTo(redirect);
        assertThat(RedirectCodec.write(redirect).getAttribute().getSource().name())
                .isEqualTo("ATTRIBUTE_SOURCE_" + source);
    }

    @Test
    void a_redirect_that_says_nothing_splits_all_traffic() {
        assertThat(RedirectCodec.read(message().build())).isEqualTo(Redirect.SPLIT);
    }

    @Test
    void each_mode_takes_what_it_needs_and_nothing_else() {
        Attribute user = Attribute.newBuilder().setSource(AttributeSource.ATTRIBUTE_SOURCE_HEADER).setName("id")
                .build();
        Attribute cookie = user.toBuilder().setSource(AttributeSource.ATTRIBUTE_SOURCE_COOKIE).build();
        var split = io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_SPLIT;
        var modulo = io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_MODULO;
        var hash = io.redliner.contract.v1.RedirectMode.REDIRECT_MODE_HASH;

        assertRead(message().setMode(modulo).setAttribute(user).setModulus(10_000));
        assertRead(message().setMode(hash).setAttribute(cookie));
        assertRefused(message().setMode(split).setAttribute(user), "attribute is only for the modes modulo and hash");
        assertRefused(message().setMode(split).setModulus(100), "modulus is only for mode modulo");
        assertRefused(message().setMode(modulo).setModulus(100), "attribute must name a header for mode modulo");
        assertRefused(message().setMode(modulo).setAttribute(user).setModulus(99),
                "modulus must be between 100 and 1000000");
        assertRefused(message().setMode(modulo).setAttribute(cookie).setModulus(100),
                "attribute must name a header for mode modulo");
        assertRefused(message().setMode(hash),
                "attribute must name a header, cookie or query parameter for mode hash");
        assertRefused(message().setMode(hash).setAttribute(user.toBuilder().setName("a b")),
                "'a b' is no name of a header, cookie or query parameter; use letters, digits, '-', '_' and '.'");
    }

    @Test
    void what_a_newer_component_sends_is_refused_and_not_guessed() {
        String upgrade = " is not known here; upgrade the redirectors before the controllers";

        assertRefused(message().setModeValue(9), "the redirect mode 9" + upgrade);
        assertRefused(message().setAttribute(Attribute.newBuilder().setSourceValue(9).setName("id")),
                "the source of an attribute 9" + upgrade);
        assertRefused(message(named("new").addHeaders(HeaderMatch.newBuilder().setName("x"))),
                "cohort 'new' the match of the header x" + upgrade);
    }

    @Test
    void cohorts_that_can_match_one_request_are_refused() {
        String clash = "cohort '%s' may match the same request as cohort '%s': "
                + "one header, path, gRPC method or method must tell them apart";
        var german = named("german").addHeaders(header("accept-language", "de"));
        var young = named("young").addHeaders(range(20250101, 20260101));

        assertRead(message(german, named("french").addHeaders(header("accept-language", "fr"))));
        assertRead(message(young, named("old").addHeaders(range(0, 20250101))));
        assertRead(message(named("a").setPathPrefix("/a"), named("b").setPath("/b")));
        assertRead(message(named("get").addMethods("GET").addMethods("HEAD"), named("post").addMethods("POST")));
        assertRefused(message(german, young), clash.formatted("young", "german"));
        assertRefused(message(young, named("older").addHeaders(range(0, 20250102))), clash.formatted("older", "young"));
        assertRefused(message(named("a").setPathPrefix("/a"), named("ab").setPathPrefix("/a/b")),
                clash.formatted("ab", "a"));
        assertRefused(message(named("a").setPathPrefix("/p"), named("b").setGrpcMethod("p.S/M")),
                clash.formatted("b", "a"));
        assertRefused(message(german, german.clone()), "a second cohort is named 'german'");
    }

    @Test
    void a_cohort_has_to_make_sense() {
        assertRefused(message(named("all")),
                "cohort 'all' restricts nothing; set headers, methods, or one of path, pathPrefix and grpcMethod");
        assertRefused(message(named("a b").addMethods("GET")),
                "cohort 'a b' is no name of a cohort; use 1 to 63 letters, digits, '-', '_' and '.', and not 'outside'");
        assertRefused(message(named("none").addHeaders(range(5, 5))),
                "cohort 'none' needs a from below its to: 5 is not below 5");
        assertRefused(message(named("relative").setPath("x")),
                "cohort 'relative' is no path; begin with '/', without '?', '#' and spaces");
        assertRefused(message(named("method").setGrpcMethod("/p.S/M")),
                "cohort 'method' is no gRPC method; write it as package.Service/Method");
        assertRefused(message(named("both").setPath("/a").setPathPrefix("/b")),
                "cohort 'both' has more than one of path, path prefix and gRPC method");
    }

    @Test
    void matches_that_would_all_be_compared_with_each_other_are_few() {
        assertRefused(message().addAllCohorts(Collections.nCopies(65, named("a").addMethods("GET").build())),
                "65 cohorts, more than 64");
        assertRefused(message(named("a").addAllMethods(Collections.nCopies(65, "GET"))),
                "cohort 'a' 65 methods of a cohort, more than 64");
        assertRefused(message(named("a").addAllHeaders(Collections.nCopies(65, header("x", "y").build()))),
                "cohort 'a' 65 headers of a cohort, more than 64");
    }
}
