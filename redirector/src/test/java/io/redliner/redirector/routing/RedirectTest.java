// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.redirector.routing.Cohort.HeaderMatch;
import io.redliner.redirector.routing.Cohort.PathMatch;
import io.redliner.redirector.routing.Redirect.Attribute;
import io.redliner.redirector.routing.Redirect.Mode;
import io.redliner.redirector.routing.Redirect.Source;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedirectTest {

    private static final Attribute USER = new Attribute(Source.HEADER, "x-user-id");

    private static Optional<String> problem(Mode mode, @Nullable Attribute attribute, int modulus) {
        return new Redirect(mode, Optional.ofNullable(attribute), modulus, List.of()).problem();
    }

    private static Optional<String> problem(Cohort... cohorts) {
        return new Redirect(Mode.SPLIT, Optional.empty(), 0, List.of(cohorts)).problem();
    }

    private static Cohort cohort(String name, HeaderMatch... headers) {
        return new Cohort(name, List.of(headers), Optional.empty(), Set.of());
    }

    private static Cohort at(String name, PathMatch where) {
        return new Cohort(name, List.of(), Optional.of(where), Set.of());
    }

    @Test
    void each_mode_takes_what_it_needs_and_nothing_else() {
        assertThat(problem(Mode.SPLIT, null, 0)).isEmpty();
        assertThat(problem(Mode.ENDPOINT_WEIGHT, null, 0)).isEmpty();
        assertThat(problem(Mode.MODULO, USER, 10_000)).isEmpty();
        assertThat(problem(Mode.HASH, USER, 0)).isEmpty();
        assertThat(problem(Mode.HASH, new Attribute(Source.COOKIE, "uid"), 0)).isEmpty();
        assertThat(problem(Mode.SPLIT, USER, 0)).hasValueSatisfying(words -> assertThat(words).contains("leave"));
        assertThat(problem(Mode.SPLIT, null, 100)).hasValueSatisfying(words -> assertThat(words).contains("modulus"));
        assertThat(problem(Mode.MODULO, null, 100)).hasValueSatisfying(words -> assertThat(words).contains("needs"));
        assertThat(problem(Mode.MODULO, USER, 99)).hasValueSatisfying(words -> assertThat(words).contains("99"));
        assertThat(problem(Mode.MODULO, new Attribute(Source.COOKIE, "uid"), 100)).hasValueSatisfying(
                words -> assertThat(words).contains("use a header"));
        assertThat(problem(Mode.HASH, new Attribute(Source.HEADER, "a b"), 0)).hasValueSatisfying(
                words -> assertThat(words).contains("'a b' is no name of a header, cookie or parameter"));
        assertThat(problem(Mode.UNKNOWN, null, 0)).hasValueSatisfying(words -> assertThat(words).contains("upgrade"));
    }

    @Test
    void cohorts_that_can_match_one_request_are_refused() {
        Cohort german = cohort("german", new HeaderMatch.Exact("Accept-Language", "de"));
        Cohort young = cohort("young", new HeaderMatch.Range("x-created", 20250101, 20260101));

        assertThat(problem(german, young)).hasValueSatisfying(words -> assertThat(words)
                .contains("'german' and 'young' overlap"));
        assertThat(problem(german, cohort("french", new HeaderMatch.Exact("accept-language", "fr")))).isEmpty();
        assertThat(problem(young, cohort("old", new HeaderMatch.Range("x-created", 0, 20250101)))).isEmpty();
        assertThat(problem(young, cohort("older", new HeaderMatch.Range("x-created", 0, 20250102)))).hasValueSatisfying(
                words -> assertThat(words).contains("'young' and 'older' overlap"));
        assertThat(problem(at("a", new PathMatch.Prefix("/a")), at("ab", new PathMatch.Prefix("/a/b"))))
                .hasValueSatisfying(
                        words -> assertThat(words).contains("'a' and 'ab' overlap"));
        assertThat(problem(at("a", new PathMatch.Prefix("/a")), at("b", new PathMatch.Whole("/b")))).isEmpty();
        assertThat(problem(at("a", new PathMatch.Prefix("/p")), at("b", new PathMatch.Grpc("p.S/M"))))
                .hasValueSatisfying(
                        words -> assertThat(words).contains("'a' and 'b' overlap"));
        assertThat(problem(new Cohort("get", List.of(), Optional.empty(), Set.of("GET", "HEAD")),
                new Cohort("post", List.of(), Optional.empty(), Set.of("POST")))).isEmpty();
    }

    @Test
    void a_cohort_has_to_make_sense() {
        assertThat(problem(cohort("all"))).hasValueSatisfying(words -> assertThat(words).contains("nothing"));
        assertThat(problem(cohort("a b", new HeaderMatch.Exact("x", "y")))).hasValueSatisfying(
                words -> assertThat(words).contains("cohort 'a b': is no name"));
        assertThat(problem(cohort("none", new HeaderMatch.Range("x", 5, 5)))).hasValueSatisfying(
                words -> assertThat(words).contains("cohort 'none': header x: nothing is from 5"));
        assertThat(problem(cohort("unknown", new HeaderMatch.Unknown("x")))).hasValueSatisfying(
                words -> assertThat(words).contains("header x has to be is not said"));
        assertThat(problem(at("relative", new PathMatch.Whole("x")))).hasValueSatisfying(
                words -> assertThat(words).contains("path 'x' does not begin with /"));
        assertThat(problem(at("method", new PathMatch.Grpc("/p.S/M")))).hasValueSatisfying(
                words -> assertThat(words).contains("'/p.S/M' is no gRPC method"));
        assertThat(problem(at("both", new PathMatch.Ambiguous()))).hasValueSatisfying(
                words -> assertThat(words).contains("exclude each other"));
        assertThat(problem(cohort("same", new HeaderMatch.Exact("x", "y")),
                cohort("same", new HeaderMatch.Exact("x", "z")))).hasValueSatisfying(
                        words -> assertThat(words).contains("two cohorts are called 'same'"));
    }

    @Test
    void a_share_is_rounded_to_what_can_be_had() {
        Redirect hundredths = new Redirect(Mode.MODULO, Optional.of(USER), 100, List.of());
        assertThat(hundredths.attainable(new Share(123_456))).isEqualTo(new Share(120_000));
        assertThat(Redirect.SPLIT.attainable(new Share(100))).isEqualTo(new Share(100));
    }
}
