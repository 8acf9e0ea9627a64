-- paraproof: verdict = violated
-- paraproof: rules = 28
-- paraproof: properties = 3
-- paraproof: violates = SingleWriter

-- Broken twin of directory_mosi.m: when an owner stores to a line that it shares, the
-- directory does not invalidate the other copies.

const
  NODE_NUM : 2;
  VALUE_NUM : 2;
  NET_SIZE : 6;

type
  NODE : scalarset (NODE_NUM);
  VALUE : scalarset (VALUE_NUM);
  CACHE_STATE : enum { I, IS, ISI, IM, S, SM, O, OM, M, MI, OI, II };
  DIR_STATE : enum { D_I, D_S, D_O, D_M, D_INV, D_INVO, D_FWDS, D_FWDM, D_GRANT };
  REQUEST_KIND : enum { GetS, GetM, PutM, InvAck, Done };
  RESPONSE_KIND : enum { DataS, DataM, Inv, FwdGetS, FwdGetM, Grant, PutAck };
  REQUEST : record kind : REQUEST_KIND; from : NODE; val : VALUE; end;
  RESPONSE : record kind : RESPONSE_KIND; req : NODE; val : VALUE; end;
  CACHE : record state : CACHE_STATE; val : VALUE; end;

var
  cache : array [NODE] of CACHE;
  dir : DIR_STATE;
  owner : NODE;
  cur : NODE;
  sharer : array [NODE] of boolean;
  pending : array [NODE] of boolean;
  mem : VALUE;
  last : VALUE;
  todir : multiset [NET_SIZE] of REQUEST;
  tocache : array [NODE] of multiset [NET_SIZE] of RESPONSE;

-- A cache sends a message to the directory.
procedure Ask(kind : REQUEST_KIND; n : NODE; v : VALUE);
var r : REQUEST;
begin
  r.kind := kind; r.from := n; r.val := v;
  multisetadd(r, todir);
end;

-- A message to a cache, about a request of the node req.
procedure Tell(kind : RESPONSE_KIND; n : NODE; req : NODE; v : VALUE);
var r : RESPONSE;
begin
  r.kind := kind; r.req := req; r.val := v;
  multisetadd(r, tocache[n]);
end;

-- The directory invalidates all copies but those of the owner and of n.
procedure Invalidate(n : NODE);
begin
  for j : NODE do
    if j != n & sharer[j] then
      Tell(Inv, j, n, mem);
      pending[j] := true;
    end;
    sharer[j] := false;
  end;
end;

ruleset v : VALUE do
  startstate "Init"
    for n : NODE do
      cache[n].state := I; cache[n].val := v;
      sharer[n] := false; pending[n] := false;
    end;
    dir := D_I;
    undefine owner; undefine cur;
    mem := v; last := v;
    undefine todir; undefine tocache;
  end;
end;

ruleset n : NODE do
  alias c : cache[n] do
    rule "Load" c.state = I ==>
      Ask(GetS, n, mem); c.state := IS;
    end;
    rule "Store" c.state = I ==>
      Ask(GetM, n, mem); c.state := IM;
    end;
    rule "Upgrade" c.state = S ==>
      Ask(GetM, n, mem); c.state := SM;
    end;
    rule "UpgradeOwner" c.state = O ==>
      Ask(GetM, n, mem); c.state := OM;
    end;
    rule "EvictClean" c.state = S ==>
      c.state := I;
    end;
    rule "EvictModified" c.state = M ==>
      Ask(PutM, n, c.val); c.state := MI;
    end;
    rule "EvictOwned" c.state = O ==>
      Ask(PutM, n, c.val); c.state := OI;
    end;
    ruleset v : VALUE do
      rule "Write" c.state = M ==>
        c.val := v; last := v;
      end;
    end;
  end;
end;

ruleset n : NODE do
  choose i : tocache[n] do
    alias c : cache[n]; m : tocache[n][i] do
      rule "DataS" m.kind = DataS & (c.state = IS | c.state = ISI) ==>
        if c.state = IS then c.state := S; c.val := m.val; else c.state := I; end;
        multisetremove(i, tocache[n]);
      end;
      rule "DataM" m.kind = DataM & (c.state = IM | c.state = SM) ==>
        c.state := M; c.val := m.val;
        multisetremove(i, tocache[n]);
      end;
      rule "Grant" m.kind = Grant & c.state = OM ==>
        Ask(Done, n, mem);
        c.state := M;
        multisetremove(i, tocache[n]);
      end;
      rule "Inv" m.kind = Inv ==>
        Ask(InvAck, n, mem);
        if c.state = S then c.state := I;
        elsif c.state = SM then c.state := IM;
        elsif c.state = IS then c.state := ISI;
        end;
        multisetremove(i, tocache[n]);
      end;
      rule "FwdGetS" m.kind = FwdGetS & (c.state = M | c.state = O | c.state = OM | c.state = MI | c.state = OI) ==>
        Tell(DataS, m.req, m.req, c.val);
        Ask(Done, n, mem);
        if c.state = M then c.state := O; elsif c.state = MI then c.state := OI; end;
        multisetremove(i, tocache[n]);
      end;
      rule "FwdGetM" m.kind = FwdGetM & (c.state = M | c.state = O | c.state = OM | c.state = MI | c.state = OI) ==>
        Tell(DataM, m.req, m.req, c.val);
        Ask(Done, n, mem);
        if c.state = OM then c.state := IM;
        elsif c.state = MI | c.state = OI then c.state := II;
        else c.state := I;
        end;
        multisetremove(i, tocache[n]);
      end;
      rule "PutAck" m.kind = PutAck & (c.state = MI | c.state = OI | c.state = II) ==>
        c.state := I;
        multisetremove(i, tocache[n]);
      end;
    end;
  end;
end;

choose i : todir do
  alias m : todir[i]; n : todir[i].from do
    -- The directory reads memory.
    rule "DirGetS" m.kind = GetS & (dir = D_I | dir = D_S) ==>
      sharer[n] := true; dir := D_S;
      Tell(DataS, n, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetSOwned" m.kind = GetS & (dir = D_O | dir = D_M) ==>
      cur := n; dir := D_FWDS;
      Tell(FwdGetS, owner, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetM" m.kind = GetM & (dir = D_I | dir = D_S & forall j : NODE do j = n | !sharer[j] end) ==>
      owner := n; dir := D_M; sharer[n] := false;
      Tell(DataM, n, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetMShared" m.kind = GetM & dir = D_S & exists j : NODE do j != n & sharer[j] end ==>
      cur := n; dir := D_INV;
      Invalidate(n);
      multisetremove(i, todir);
    end;
    rule "DirGetMOwned" m.kind = GetM & (dir = D_M | dir = D_O) ==>
      cur := n; dir := D_INVO;
      if n != owner then Invalidate(n); end;
      multisetremove(i, todir);
    end;
    rule "DirInvAck" m.kind = InvAck & (dir = D_INV | dir = D_INVO) ==>
      pending[n] := false;
      multisetremove(i, todir);
    end;
    rule "DirDoneS" m.kind = Done & dir = D_FWDS ==>
      sharer[cur] := true; dir := D_O;
      multisetremove(i, todir);
    end;
    rule "DirDoneM" m.kind = Done & dir = D_FWDM ==>
      owner := cur; dir := D_M;
      multisetremove(i, todir);
    end;
    rule "DirDoneGrant" m.kind = Done & dir = D_GRANT ==>
      dir := D_M;
      multisetremove(i, todir);
    end;
    rule "DirPut" m.kind = PutM & (dir = D_I | dir = D_S | dir = D_O | dir = D_M) ==>
      if (dir = D_O | dir = D_M) & owner = n then
        mem := m.val;
        if dir = D_O then dir := D_S; else dir := D_I; end;
        undefine owner;
      end;
      Tell(PutAck, n, n, mem);
      multisetremove(i, todir);
    end;
  end;
end;

rule "DirAllAcked" dir = D_INV & forall j : NODE do !pending[j] end ==>
  owner := cur; dir := D_M;
  Tell(DataM, cur, cur, mem);
end;

rule "DirAllAckedOwned" dir = D_INVO & cur != owner & forall j : NODE do !pending[j] end ==>
  dir := D_FWDM;
  Tell(FwdGetM, owner, cur, mem);
end;

rule "DirAllAckedOwner" dir = D_INVO & cur = owner & forall j : NODE do !pending[j] end ==>
  dir := D_GRANT;
  Tell(Grant, cur, cur, mem);
end;

invariant "SingleWriter"
  forall i : NODE do forall j : NODE do
    i != j & cache[i].state = M -> cache[j].state != M & cache[j].state != S & cache[j].state != SM
  end end;
invariant "SingleOwner"
  forall i : NODE do forall j : NODE do
    i != j & (cache[i].state = O | cache[i].state = OM | cache[i].state = M) ->
      cache[j].state != O & cache[j].state != OM & cache[j].state != M
  end end;
invariant "LastValue"
  forall i : NODE do
    cache[i].state != I & cache[i].state != IS & cache[i].state != ISI & cache[i].state != IM & cache[i].state != II
      & cache[i].state != MI & cache[i].state != OI -> cache[i].val = last
  end;
