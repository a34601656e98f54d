#!/bin/sh
# Three Parleys on one MariaDB, behind nginx, in a temporary folder that is removed at the end (Ctrl-C).
# Needs the packages mariadb-server and nginx. PORT is that of nginx; the next four are taken, too.
set -eu
cd "$(dirname "$0")/.."
port=${PORT:-9980}
folder=$(mktemp -d)
chmod 755 "$folder"
user= nginx_user=
[ "$(id -u)" != 0 ] || user=--user=root nginx_user='user root;'
end() {
  trap - EXIT INT TERM
  touch "$folder/end"
  # The processes first, because they store in the database where their clients are.
  for file in "$folder"/[123]/pid "$folder/nginx.pid" "$folder/mariadb.pid"; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2> "$folder/end.log" || true
    case $file in */3/pid) sleep 1 ;; esac
  done
  wait
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 0' INT TERM
# A moment; shows the log and ends if that was the last of a minute.
waits() {
  turns=$((turns + 1))
  [ $turns -lt 300 ] || { cat "$1" >&2; exit 1; }
  sleep 0.2
}
turns=0
# Starts the command again whenever it ends, as systemd would.
keep() {
  until [ -f "$folder/end" ]; do
    "$@" || true
    sleep 0.2
  done
}

mariadb-install-db --no-defaults $user --datadir="$folder/rows" --auth-root-authentication-method=normal --skip-test-db > "$folder/install.log"
keep mariadbd --no-defaults $user --datadir="$folder/rows" --tmpdir="$folder" --socket="$folder/socket" --pid-file="$folder/mariadb.pid" \
  --bind-address=127.0.0.1 --port=$((port + 4)) --skip-name-resolve > "$folder/mariadb.log" 2>&1 &
until mariadb --no-defaults --socket="$folder/socket" --user=root --execute 'create database parley character set utf8mb4' 2> "$folder/wait.log"; do
  waits "$folder/mariadb.log"
done

export DATABASE_URL="mariadb://root@127.0.0.1:$((port + 4))/parley" PARLEY_UPLOADS="$folder/uploads"
export PARLEY_SECRET="$(head -c 32 /dev/urandom | od -A n -t x1 | tr -d ' \n')"
export PARLEY_PUBLIC_URL="http://127.0.0.1:$port" PARLEY_TRUST_PROXY=on
for number in 1 2 3; do
  PORT=$((port + number)) PARLEY_DATA="$folder/$number" keep npm --silent start >> "$folder/$number.log" 2>&1 &
  until [ -f "$folder/$number/pid" ] && curl --silent --fail "http://127.0.0.1:$((port + number))/health" > "$folder/health"; do
    waits "$folder/$number.log"
  done
done

cat > "$folder/nginx.conf" << CONF
daemon off;
$nginx_user
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $folder/bodies;
  proxy_temp_path $folder/answers;
  fastcgi_temp_path $folder/unused;
  uwsgi_temp_path $folder/unused;
  scgi_temp_path $folder/unused;
  map \$arg_queue_id \$spread {
    "" \$request_id;
    default \$arg_queue_id;
  }
  upstream parley {
    hash \$spread consistent;
    # No max_fails: whoever comes back is asked at once, and processes that are replaced in turn are never all given up.
    server 127.0.0.1:$((port + 1)) max_fails=0;
    server 127.0.0.1:$((port + 2)) max_fails=0;
    server 127.0.0.1:$((port + 3)) max_fails=0;
  }
  server {
    listen 127.0.0.1:$port;
    client_max_body_size 30m;
    large_client_header_buffers 4 64k;
    location / {
      proxy_pass http://parley;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
      proxy_read_timeout 120s; # a long poll waits up to 80 s
    }
  }
}
CONF
nginx -e "$folder/nginx.log" -c "$folder/nginx.conf" &
until curl --silent --fail "http://127.0.0.1:$port/health" > "$folder/health"; do
  waits "$folder/nginx.log"
done
echo "Three processes answer at http://127.0.0.1:$port; credentials: $folder/1/demo-credentials.json"
echo "Kill one while a client chats; it comes back: $(cat "$folder/1/pid"), $(cat "$folder/2/pid") or $(cat "$folder/3/pid")"
wait $!
