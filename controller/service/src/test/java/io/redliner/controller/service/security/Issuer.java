// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.json.JsonMapper;

/** An identity provider on this machine: it publishes its metadata and keys over HTTP, and signs tokens. */
final class Issuer implements AutoCloseable {

    static final String AUDIENCE = "redliner";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** How many requests there were. */
    final AtomicInteger asked = new AtomicInteger();

    /** Of every issuer: to find a pair takes a second of processor time. */
    private static final KeyPair KEYS = keys();

    private final HttpServer server;

    Issuer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        serve("/.well-known/openid-configuration", Map.of("issuer", uri(), "jwks_uri", uri() + "/keys",
                "subject_types_supported", List.of("public")));
        RSAPublicKey key = (RSAPublicKey) KEYS.getPublic();
        serve("/keys", Map.of("keys", List.of(Map.of("kty", "RSA", "use", "sig", "kid", "one", "n",
                number(key.getModulus()), "e", number(key.getPublicExponent())))));
        server.start();
    }

    static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    PrivateKey key() {
        return KEYS.getPrivate();
    }

    private void serve(String path, Object answer) {
        byte[] body = JSON.writeValueAsBytes(answer);
        server.createContext(path, exchange -> {
            asked.incrementAndGet();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    /** What a token of somebody says, valid for ten minutes. */
    Map<String, Object> claims(String name, Object roles, Object teams) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", uri());
        claims.put("aud", AUDIENCE);
        claims.put("sub", "id-of-" + name);
        claims.put("preferred_username", name);
        claims.put("exp", Instant.now().plusSeconds(600).getEpochSecond());
        claims.put("roles", roles);
        claims.put("teams", teams);
        return claims;
    }

    String token(Map<String, Object> claims) {
        return sign("RS256", claims, KEYS.getPrivate());
    }

    static String sign(String algorithm, Map<String, Object> claims, PrivateKey key) {
        try {
            String text = text(Map.of("alg", algorithm, "typ", "JWT", "kid", "one")) + "." + text(claims);
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + base64(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static String text(Map<String, Object> content) {
        return base64(JSON.writeValueAsBytes(content));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return base64(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
