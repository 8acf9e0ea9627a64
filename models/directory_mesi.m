-- paraproof: verdict = proven
-- paraproof: rules = 26
-- paraproof: properties = 2
-- paraproof: states NODE_NUM=2 4738
-- paraproof: states NODE_NUM=3 338764

-- A directory MESI protocol over an unordered network.
--
-- A cache that loads a line of which nobody has a copy gets it exclusively. From
-- then on it may write without telling anybody, so that the directory does not know
-- whether an owner is in E or in M, and asks it in both cases. An eviction from E
-- sends no data. As in directory_msi.m, messages may overtake each other, the
-- directory blocks while it waits for acknowledgements or data, and caches have
-- transient states: in ISI an invalidation overtook the data, in II the owner was
-- asked for data that it had just given up, and EI and MI await the directory's
-- answer to an eviction.
--
-- D. J. Sorin, M. D. Hill and D. A. Wood, 'A primer on memory consistency and
-- cache coherence', Morgan & Claypool 2011, section 8.3 (the protocol here blocks
-- at the directory where theirs blocks at the caches).

const
  NODE_NUM : 2;
  VALUE_NUM : 2;
  NET_SIZE : 6;

type
  NODE : scalarset (NODE_NUM);
  VALUE : scalarset (VALUE_NUM);
  CACHE_STATE : enum { I, IS, ISI, IM, S, SM, E, M, EI, MI, II };
  DIR_STATE : enum { D_I, D_S, D_EM, D_INV, D_FWDS, D_FWDM };
  REQUEST_KIND : enum { GetS, GetM, PutE, PutM, InvAck, Data };
  RESPONSE_KIND : enum { DataS, DataE, DataM, Inv, FwdGetS, FwdGetM, PutAck };
  REQUEST : record kind : REQUEST_KIND; from : NODE; val : VALUE; end;
  RESPONSE : record kind : RESPONSE_KIND; val : VALUE; end;
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

-- The directory sends a message to a cache.
procedure Tell(kind : RESPONSE_KIND; n : NODE; v : VALUE);
var r : RESPONSE;
begin
  r.kind := kind; r.val := v;
  multisetadd(r, tocache[n]);
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
    rule "EvictShared" c.state = S ==>
      c.state := I;
    end;
    rule "EvictExclusive" c.state = E ==>
      Ask(PutE, n, mem); c.state := EI;
    end;
    rule "EvictModified" c.state = M ==>
      Ask(PutM, n, c.val); c.state := MI;
    end;
    ruleset v : VALUE do
      rule "Write" c.state = E | c.state = M ==>
        c.state := M; c.val := v; last := v;
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
      -- After ISI, the invalidation was about an earlier copy: nobody else has one now.
      rule "DataE" m.kind = DataE & (c.state = IS | c.state = ISI) ==>
        c.state := E; c.val := m.val;
        multisetremove(i, tocache[n]);
      end;
      rule "DataM" m.kind = DataM & (c.state = IM | c.state = SM) ==>
        c.state := M; c.val := m.val;
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
      rule "FwdGetS" m.kind = FwdGetS & (c.state = E | c.state = M | c.state = EI | c.state = MI) ==>
        Ask(Data, n, c.val);
        if c.state = E | c.state = M then c.state := S; else c.state := II; end;
        multisetremove(i, tocache[n]);
      end;
      rule "FwdGetM" m.kind = FwdGetM & (c.state = E | c.state = M | c.state = EI | c.state = MI) ==>
        Ask(Data, n, c.val);
        if c.state = E | c.state = M then c.state := I; else c.state := II; end;
        multisetremove(i, tocache[n]);
      end;
      rule "PutAck" m.kind = PutAck & (c.state = EI | c.state = MI | c.state = II) ==>
        c.state := I;
        multisetremove(i, tocache[n]);
      end;
    end;
  end;
end;

choose i : todir do
  alias m : todir[i]; n : todir[i].from do
    rule "DirGetSAlone" m.kind = GetS & dir = D_I ==>
      owner := n; dir := D_EM;
      Tell(DataE, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetS" m.kind = GetS & dir = D_S ==>
      sharer[n] := true;
      Tell(DataS, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetSOwned" m.kind = GetS & dir = D_EM ==>
      cur := n; dir := D_FWDS;
      Tell(FwdGetS, owner, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetM" m.kind = GetM & (dir = D_I | dir = D_S & forall j : NODE do j = n | !sharer[j] end) ==>
      owner := n; dir := D_EM; sharer[n] := false;
      Tell(DataM, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirGetMShared" m.kind = GetM & dir = D_S & exists j : NODE do j != n & sharer[j] end ==>
      cur := n; dir := D_INV;
      for j : NODE do
        if j != n & sharer[j] then
          Tell(Inv, j, mem);
          pending[j] := true;
        end;
        sharer[j] := false;
      end;
      multisetremove(i, todir);
    end;
    rule "DirGetMOwned" m.kind = GetM & dir = D_EM ==>
      cur := n; dir := D_FWDM;
      Tell(FwdGetM, owner, mem);
      multisetremove(i, todir);
    end;
    rule "DirInvAck" m.kind = InvAck & dir = D_INV ==>
      pending[n] := false;
      multisetremove(i, todir);
    end;
    rule "DirDataS" m.kind = Data & dir = D_FWDS ==>
      mem := m.val; dir := D_S;
      sharer[owner] := true; sharer[cur] := true;
      Tell(DataS, cur, m.val);
      undefine owner;
      multisetremove(i, todir);
    end;
    rule "DirDataM" m.kind = Data & dir = D_FWDM ==>
      mem := m.val; dir := D_EM;
      owner := cur;
      Tell(DataM, cur, m.val);
      multisetremove(i, todir);
    end;
    rule "DirPutE" m.kind = PutE & (dir = D_I | dir = D_S | dir = D_EM) ==>
      if dir = D_EM & owner = n then
        dir := D_I; undefine owner;
      end;
      Tell(PutAck, n, mem);
      multisetremove(i, todir);
    end;
    rule "DirPutM" m.kind = PutM & (dir = D_I | dir = D_S | dir = D_EM) ==>
      if dir = D_EM & owner = n then
        mem := m.val; dir := D_I; undefine owner;
      end;
      Tell(PutAck, n, mem);
      multisetremove(i, todir);
    end;
  end;
end;

rule "DirAllAcked" dir = D_INV & forall j : NODE do !pending[j] end ==>
  owner := cur; dir := D_EM;
  Tell(DataM, cur, mem);
end;

invariant "SingleWriter"
  forall i : NODE do forall j : NODE do
    i != j & (cache[i].state = E | cache[i].state = M) ->
      cache[j].state != E & cache[j].state != M & cache[j].state != S & cache[j].state != SM
  end end;
invariant "LastValue"
  forall i : NODE do
    cache[i].state = S | cache[i].state = SM | cache[i].state = E | cache[i].state = M -> cache[i].val = last
  end;
